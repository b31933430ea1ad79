"""Start-up, memory, generation, updates, calls, load, and what `tools/list` costs: ratios of a run.

    python -m bench [--operations 1000] [--repeat 5] [--peer-python PYTHON] [--documents FOLDER]

`--peer-python` is an interpreter with fastmcp and openapi-python-client; what it lacks is left out.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import mcpgen
from bench import documents, servers, tokens
from bench.calls import calls
from bench.generation import generation, has_fastmcp, regeneration
from bench.load import load
from bench.startup import Start, median, start


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
    peer = arguments.peer_python.absolute() if arguments.peer_python else None
    compiled()
    folder = Path(tempfile.mkdtemp(prefix="mcpgen-bench-"))
    try:
        source, large, detailed = (folder / f"{n}.json" for n in ("api", "large", "detailed"))
        source.write_text(json.dumps(documents.document(arguments.operations)))
        large.write_text(json.dumps(documents.document(1200, 1000)))
        detailed.write_text(json.dumps(documents.document(1200, 1000, detailed=True)))
        repeat, few = arguments.repeat, min(arguments.repeat, 2)
        generation(source, folder, repeat, peer)
        generation(large, folder / "large", few, peer)
        generation(detailed, folder / "detailed", few, peer)
        startup(folder, repeat, source, peer)
        speed(folder, source, peer)
        regeneration(source, folder / "server", few)
        regeneration(detailed, folder / "detailed" / "server", few)
        if arguments.documents:
            tokens.compare(arguments.documents, folder / "tokens", peer)
    finally:
        shutil.rmtree(folder)


def compiled() -> None:
    """Have bytecode of this checkout, as of any package that is installed, and of all servers."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir(Path(mcpgen.__file__).parent, quiet=1)


def startup(folder: Path, repeat: int, source: Path, peer: Path | None) -> None:
    """Generated servers against a hand-written one with a single tool."""
    hand = [sys.executable, "-P", "-c", servers.HAND_WRITTEN]
    rows: dict[str, tuple[Sequence[str], Path]] = {"hand-written": (hand, folder)}
    for name, server in (("generated", folder / "server"), ("large", folder / "large" / "server")):
        package = next(server.glob("*/tools.json")).parent.name
        rows[name] = ([sys.executable, "-m", package], server)
    if peer and has_fastmcp(peer):
        rows["fastmcp"] = ([str(peer), "-P", "-c", servers.FASTMCP, str(source)], folder)
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


if __name__ == "__main__":
    main()
