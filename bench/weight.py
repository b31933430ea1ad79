"""What there is to read: files and lines of the runtime, servers, the generator and the tests.

python -m bench.weight
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from mcpgen.bundled.closure import closure
from mcpgen.runtime import PARTS

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "generated_examples"
PLAIN = EXAMPLES / "bookshop"
"""A vendored server of ten tools."""
Row = tuple[str, list[Path]]


def tracked(folder: Path) -> list[Path]:
    """The text files below a folder that git knows of, or would take up."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "."]
    listed = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout
    paths = (folder / name for name in sorted(set(listed.decode().split("\0"))) if name)
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def lines(paths: Iterable[Path]) -> int:
    """The lines of all files."""
    return sum(path.read_bytes().count(b"\n") for path in paths)


def python(paths: Iterable[Path]) -> list[Path]:
    """The Python modules among files."""
    return [path for path in paths if path.suffix == ".py"]


def rows() -> Iterator[Row]:
    """What is counted, and its files."""
    ours = python(tracked(ROOT / "mcpgen"))
    runtime = [path for path in ours if _part(path, "mcpgen") == "runtime"]
    yield "runtime", runtime
    yield from parts(runtime)
    plain = tracked(PLAIN)
    yield "a vendored server (bookshop)", plain
    yield "  its _runtime", [path for path in plain if "_runtime" in path.parts]
    with TemporaryDirectory() as folder:
        without = generated(Path(folder) / "stdio", "http = false\n")
        yield "the same without HTTP", without
        yield "  its _runtime", [path for path in without if "_runtime" in path.parts]
        package = generated(Path(folder) / "package", 'runtime = "package"\n')
        yield "the same in package mode", package
    generator = [path for path in ours if path not in runtime]
    yield "generator", generator
    for name in sorted({_part(path, "mcpgen") for path in generator}):
        part = [path for path in generator if _part(path, "mcpgen") == name]
        yield f"  {name or 'at the root'}", part
    yield "tests", python(tracked(ROOT / "tests"))
    examples = tracked(EXAMPLES)
    yield "examples", examples
    for name in sorted({_part(path, EXAMPLES.name) for path in examples}):
        yield f"  {name}", [path for path in examples if _part(path, EXAMPLES.name) == name]


def parts(runtime: list[Path]) -> Iterator[Row]:
    """The core, which every server has, and each part with what only it brings."""
    core = closure(["from ._runtime import App, Api, Bearer, ServerInfo, Settings, ServerUrl\n"])
    folder = ROOT / "mcpgen" / "runtime"
    yield "  core", [folder / path for path in core]
    for name in PARTS:
        own = closure([f"from ._runtime import App, {name}\n"]) - core
        yield f"  {name}", [folder / path for path in own]


def generated(folder: Path, settings: str) -> list[Path]:
    """The files of the same server with other settings."""
    folder.mkdir()
    document = json.dumps(str(ROOT / "specs" / "bookshop.yaml"))
    (folder / "mcpgen.toml").write_text(f"{settings}source = {document}\n", "utf-8")
    command = [sys.executable, "-m", "mcpgen", "update", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return [path for path in folder.rglob("*") if path.is_file()]


def code(paths: Iterable[Path]) -> int:
    """The lines of Python code: without blank lines, comments and docstrings."""
    count = 0
    for path in python(paths):
        text = path.read_text(encoding="utf-8")
        told = {
            number
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        lines = enumerate(text.splitlines(), 1)
        count += sum(
            bool(line.strip()) and not line.lstrip().startswith("#") and number not in told
            for number, line in lines
        )
    return count


def _part(path: Path, folder: str) -> str:
    """The folder right below one that holds a file; empty for a file at its root."""
    inner = path.relative_to(ROOT / folder)
    return inner.parts[0] if len(inner.parts) > 1 else ""


def main() -> None:
    """Print a line for each."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    for name, paths in rows():
        figures = f"{len(paths):6,} files {lines(paths):8,} lines {code(paths):8,} of code"
        print(f"{name:32} {figures}")


if __name__ == "__main__":
    main()
