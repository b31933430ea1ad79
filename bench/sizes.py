"""Documents that are far too large: what generating from them takes, or where it says no.

    python -m bench.sizes [--operations 20000] [--values 1000000] [--mebibytes 100]

Exit code 1: one ended neither in a server nor in a located error, or took more memory than it may.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MEMORY = 512
"""MiB that a generation may take, or three times its document where that is more."""


def sized(operations: int, values: int, mebibytes: int) -> dict[str, dict[str, Any]]:
    """The documents, by what is large in them."""
    choice = {"type": "string", "enum": [f"v{number}" for number in range(values)]}
    parameter = {"name": "q", "in": "query", "schema": choice}
    described = _operation("one", description="word " * ((mebibytes << 20) // 50))
    return {
        f"{operations:,} operations": _document(
            {f"/a{n}": {"get": _operation(f"op{n}")} for n in range(operations)}
        ),
        f"{values:,} values": _document({"/a": {"get": _operation("one", parameters=[parameter])}}),
        f"a description of {mebibytes // 10} MiB": _document({"/a": {"get": described}}),
        f"{mebibytes} MiB": _document(
            {"/a": {"get": _operation("one")}}, **{"x-a": ["x" * 1000] * (mebibytes << 10)}
        ),
    }


def _document(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    info = {"title": "Large", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, **more}


def _operation(name: str, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "responses": {"200": {"description": "ok"}}, **more}


def measure(name: str, document: dict[str, Any], folder: Path) -> bool:
    """Generate, print what it took, and say whether that is good."""
    source = folder / "api.json"
    source.write_text(json.dumps(document))
    size = source.stat().st_size >> 20
    out = folder / name.replace(" ", "-").replace(",", "")
    command = [sys.executable, "-m", "mcpgen", "from-openapi", str(source), "-o", str(out)]
    began = time.perf_counter()
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    seconds, memory = time.perf_counter() - began, used.ru_maxrss >> 10
    print(f"{name} ({size} MiB): exit code {process.returncode}, {seconds:.1f} s, {memory} MiB")
    ended = process.returncode == 0 or (process.returncode == 1 and "-->" in text)
    return ended and "Traceback" not in text and memory <= max(MEMORY, 3 * size)


def main() -> int:
    """Generate from each document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument("--mebibytes", type=int, default=100)
    asked = parser.parse_args()
    documents = sized(asked.operations, asked.values, asked.mebibytes)
    with tempfile.TemporaryDirectory() as folder:
        good = [measure(name, each, Path(folder)) for name, each in documents.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
