"""Generation against its peers, and what an update and a check cost of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import documents, servers
from bench.timing import Taken, largest_process, timed

_MODELS = (
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
    *("--formatters", "builtin", "--target-python-version", "3.11", "--disable-timestamp"),
)


LISTED = ("--surface", "tools")
"""What is compared with others lists its tools, as theirs do."""


def generation(source: Path, folder: Path, repeat: int, peer: Path | None) -> None:
    """Whole generation into `folder/server` against what others make of the same document.

    datamodel-code-generator's own command writes models only; FastMCP builds its server in memory,
    at each start.
    """
    folder.mkdir(exist_ok=True)
    server = folder / "server"
    codegen = Path(sys.executable).with_name("datamodel-codegen")
    rows: dict[str, list[Taken]] = {"mcpgen": [], "datamodel-codegen": []}
    for _ in range(repeat):
        shutil.rmtree(server, ignore_errors=True)
        rows["mcpgen"].append(timed(_mcpgen("from-openapi", source, "-o", server, *LISTED)))
        models = [codegen, "--input", source, "--output", folder / "models.py", *_MODELS]
        rows["datamodel-codegen"].append(timed(models))
    ours = min(rows["mcpgen"])
    theirs = {"datamodel-codegen": min(rows["datamodel-codegen"]), **_peers(source, folder, peer)}
    for name, taken in theirs.items():
        print(f"generation of {source.name}: {ours}, {name} {taken}, {ours.ratio(taken)}")
    print(f"largest process so far: {largest_process():.0f} MiB")


def regeneration(source: Path, server: Path, repeat: int) -> None:
    """An update after one changed operation, and a check where nothing changed, in one run."""
    document = json.loads(source.read_text())
    whole, updates, checks = [], [], []
    for turn in range(repeat):
        checks.append(timed(_mcpgen("check", server)))
        documents.change(document, turn)
        source.write_text(json.dumps(document))
        updates.append(timed(_mcpgen("update", server)))
        again = server.with_name("again")
        shutil.rmtree(again, ignore_errors=True)
        whole.append(timed(_mcpgen("from-openapi", source, "-o", again, *LISTED)))
    for name, taken in (("update after a change", updates), ("check", checks)):
        best = min(taken)
        ratio = best.ratio(min(whole))
        print(f"{name} of {source.name}: {best}, generation {min(whole)}, {ratio}")


def _mcpgen(*arguments: str | Path) -> list[str | Path]:
    return [sys.executable, "-m", "mcpgen", *arguments]


def _peers(source: Path, folder: Path, peer: Path | None) -> dict[str, Taken]:
    if peer is None:
        return {}
    taken = {}
    client = peer.with_name("openapi-python-client")
    if client.exists():
        out = folder / "client"
        command = [client, "generate", "--path", source, "--output-path", out, "--overwrite"]
        taken["openapi-python-client"] = timed(command)
    if has_fastmcp(peer):
        taken["FastMCP.from_openapi"] = timed([peer, "-P", "-c", servers.FASTMCP_BUILT, source])
    return taken


def has_fastmcp(peer: Path) -> bool:
    """Whether FastMCP is installed beside an interpreter."""
    command: Sequence[str | Path] = [peer, "-P", "-c", "import fastmcp"]
    return subprocess.run(command, capture_output=True).returncode == 0
