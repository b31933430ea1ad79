"""A server of a small API whose handlers people edit, by the command line as they do."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from command_line import run

Make = Callable[..., None]
"""Makes `server` with a command from a source and with options: `made_once`."""

PACKAGE = Path("server/garden_mcp")
BEDS, TREES = PACKAGE / "handlers/beds.py", PACKAGE / "handlers/trees.py"
MINE = "    # Mine.\n    return await"


def operation(name: str, tag: str, *parameters: str, type: str = "integer") -> dict[str, Any]:
    listed = [{"name": n, "in": "query", "schema": {"type": type}} for n in parameters]
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": BED}}}}
    return {"get": {"operationId": name, "tags": [tag], "parameters": listed, "responses": answer}}


BED = {"$ref": "#/components/schemas/Bed"}
SCHEMAS = {"Bed": {"type": "object", "properties": {"id": {"type": "integer"}}}}
START = {
    "/beds": operation("listBeds", "beds", "size"),
    "/rows": operation("listRows", "beds", "size"),
    "/trees": operation("listTrees", "trees", "size"),
}


def write(**changed: Any) -> None:
    """The document: `START` with other operations at some of its paths, None for none."""
    paths = {**START, **{f"/{path}": each for path, each in changed.items()}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Garden", "version": "1"},
        "servers": [{"url": "https://garden.example"}],
        "paths": {path: each for path, each in paths.items() if each},
        "components": {"schemas": SCHEMAS},
    }
    Path("api.json").write_text(json.dumps(document))


def updated(code: int = 0) -> str:
    """Update; the result is clean."""
    done = run("update", "server")
    assert done.exit_code == code, done.output
    checked = run("check", "server", "--full")
    assert checked.exit_code == 0, checked.output
    return done.output


def update(code: int = 0) -> str:
    """Update; the result is clean, and every tool has one handler."""
    told = updated(code)
    table = ast.parse((PACKAGE / "handlers/__init__.py").read_text()).body[-1]
    assert isinstance(table, ast.Assign)
    for target in ast.literal_eval(table.value).values():
        module, _, function = target.partition(":")
        tree = ast.parse((PACKAGE / f"handlers/{module}.py").read_text())
        named = [n for n in tree.body if isinstance(n, ast.AsyncFunctionDef) and n.name == function]
        assert len(named) == 1, target
    return told


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def cut(path: Path, function: str) -> str:
    """Take a handler out of a file."""
    text = path.read_text()
    (node,) = (n for n in ast.parse(text).body if getattr(n, "name", "") == function)
    assert isinstance(node, ast.AsyncFunctionDef)
    lines = text.splitlines(keepends=True)
    first = node.decorator_list[0].lineno - 1
    path.write_text("".join([*lines[:first], *lines[node.end_lineno :]]))
    return "".join(lines[first : node.end_lineno])
