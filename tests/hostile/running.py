"""Generating in this process, and running what was generated in another one, under a canary."""

import ast
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import generated_tests
from prepared import python

from mcpgen.diagnostics import Diagnostics
from mcpgen.generate import Generated, generate
from mcpgen.settings import Settings

from .judge import PACKAGE

_IMPORT_ALL = """
import importlib, os, pathlib, sys
failed = 0
for root in map(pathlib.Path, sys.argv[1:]):
    os.environ["CANARY"] = str(root / "canary")
    sys.path.insert(0, str(root))
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        if not name.startswith("tests") and not name.endswith("__main__"):
            try:
                importlib.import_module(name.removesuffix(".__init__"))
            except BaseException as error:
                failed += 1
                print(root.name, name, type(error).__name__, error, file=sys.stderr)
    sys.path.remove(str(root))
    for name in [name for name in sys.modules if name.partition(".")[0] == "server_mcp"]:
        if not name.startswith("server_mcp._runtime"):  # the same in every server
            del sys.modules[name]
sys.exit(failed)
"""


def generated(document: Mapping[str, Any], folder: Path) -> Generated:
    """A server of the document, in memory; `folder` is where the document is written."""
    source = folder / "api.json"
    source.write_text(json.dumps(document), encoding="utf-8")
    asked = Settings(source=str(source), package=PACKAGE)
    return generate(asked, folder / "out", Diagnostics())


def texts(made: Generated) -> dict[str, str]:
    """The files of a server, all of them as text."""
    return {
        path: content if isinstance(content, str) else content.decode()
        for path, content in made.files.items()
    }


def wire_names(files: Mapping[str, str]) -> dict[str, set[str]]:
    """What each tool's handler calls the values that it sends, by the tool's name."""
    found: dict[str, set[str]] = {}
    for path, text in files.items():
        if path.startswith(f"{PACKAGE}/handlers/"):
            for function in ast.walk(ast.parse(text)):
                if isinstance(function, ast.AsyncFunctionDef):
                    (tool,) = function.decorator_list
                    assert isinstance(tool, ast.Call)
                    found[ast.literal_eval(tool.args[0])] = {
                        key.value
                        for part in ast.walk(function)
                        if isinstance(part, ast.Dict)
                        for key in part.keys
                        if isinstance(key, ast.Constant)
                    }
    return found


def write(files: Mapping[str, str], folder: Path) -> None:
    """Write files as they are."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8", "surrogatepass"))


def import_all(folders: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """Import every module of each server, in one process; the exit code counts those that fail.

    They share the runtime of the first. What runs leaves its trace in the file `canary` in the
    server's folder.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        python("-c", _IMPORT_ALL, *map(str, folders)),
        cwd=folders[0],
        env=kept,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def run_tests(folder: Path, canary: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a generated server."""
    return generated_tests.run(folder, CANARY=str(canary))
