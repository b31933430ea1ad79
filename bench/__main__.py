"""Start-up, memory, generation, calls, load and the cost of `tools/list`: ratios of one run.

    python -m bench [--operations 1000] [--repeat 5] [--peer-python PYTHON] [--documents FOLDER]

`--peer-python` is an interpreter with fastmcp and openapi-python-client; what it lacks is left out.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import documents, servers, tokens
from bench.calls import calls
from bench.load import load
from bench.startup import Start, median, start

MODELS = (
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
    *("--formatters", "builtin", "--target-python-version", "3.11", "--disable-timestamp"),
)


def main() -> None:
    """Run every benchmark and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--documents", type=Path, help="a folder of documents for the token counts")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mcpgen-bench-"))
    try:
        source = folder / "api.json"
        source.write_text(json.dumps(documents.document(arguments.operations)))
        generation(source, folder, arguments.repeat, arguments.peer_python)
        large = folder / "large.json"
        large.write_text(json.dumps(documents.document(1200, 1000)))
        generation(large, folder / "large", 1, None)
        startup(folder, arguments.repeat, source, arguments.peer_python)
        speed(folder, source, arguments.peer_python)
        if arguments.documents:
            tokens.compare(arguments.documents, folder / "tokens", arguments.peer_python)
    finally:
        shutil.rmtree(folder)


def generation(source: Path, folder: Path, repeat: int, peer: Path | None) -> None:
    """Whole generation against datamodel-code-generator's own command on the same document."""
    folder.mkdir(exist_ok=True)
    server, models = folder / "server", folder / "models.py"
    codegen = Path(sys.executable).with_name("datamodel-codegen")
    ours, theirs = [], []
    for _ in range(repeat):
        shutil.rmtree(server, ignore_errors=True)
        mcpgen = [sys.executable, "-m", "mcpgen", "from-openapi", str(source), "-o", str(server)]
        ours.append(_timed(mcpgen))
        theirs.append(_timed([str(codegen), "--input", source, "--output", models, *MODELS]))
    _ratio(f"generation of {source.name}", min(ours), "datamodel-codegen", min(theirs))
    client = peer.with_name("openapi-python-client") if peer else None
    if client and client.exists():
        out = folder / "client"
        command = [str(client), "generate", "--path", source, "--output-path", out, "--overwrite"]
        _ratio(f"generation of {source.name}", min(ours), "openapi-python-client", _timed(command))
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process so far: {children:.0f} MiB")


def startup(folder: Path, repeat: int, source: Path, peer: Path | None) -> None:
    """Generated servers against a hand-written one with a single tool."""
    hand = [sys.executable, "-c", servers.HAND_WRITTEN]
    rows: dict[str, tuple[Sequence[str], Path]] = {"hand-written": (hand, folder)}
    for name, server in (("generated", folder / "server"), ("large", folder / "large" / "server")):
        package = next(server.glob("*/tools.json")).parent.name
        rows[name] = ([sys.executable, "-m", package], server)
    if peer and subprocess.run([peer, "-c", "import fastmcp"], capture_output=True).returncode == 0:
        rows["fastmcp"] = ([str(peer), "-c", servers.FASTMCP, str(source)], folder)
    taken: dict[str, list[Start]] = {name: [] for name in rows}
    for _ in range(repeat):
        for name, (command, where) in rows.items():
            taken[name].append(start(command, where))
    base = median(taken["hand-written"])
    for name, starts in taken.items():
        row = median(starts)
        print(
            f"start-up of {name}: {row.tools} tools, {row.seconds:.2f} s, {row.mebibytes:.0f} MiB; "
            f"time x{row.seconds / base.seconds:.2f}, memory x{row.mebibytes / base.mebibytes:.2f}"
        )


def speed(folder: Path, source: Path, peer: Path | None) -> None:
    """Calls and load, with one tool and with those of the main document."""
    one = folder / "one.json"
    one.write_text(json.dumps(documents.document(1)))
    command = [sys.executable, "-m", "mcpgen", "from-openapi", str(one), "-o", str(folder / "one")]
    subprocess.run(command, check=True, capture_output=True)
    for server in (folder / "one", folder / "server"):
        package = next(server.glob("*/tools.json")).parent
        calls(package)
    load(package, source, peer)


def _timed(command: Sequence[str | Path]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def _ratio(what: str, ours: float, peer: str, theirs: float) -> None:
    print(f"{what}: {ours:.2f} s, {peer} {theirs:.2f} s, x{ours / theirs:.2f}")


if __name__ == "__main__":
    main()
