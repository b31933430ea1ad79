"""What commands print with `--json`: each member, of one small server at work."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from mcpgen.cli.app import command_line

_KINDS = {str: "string", bool: "boolean", int: "integer", float: "number"}
_ANSWERS = {"200": {"description": "ok"}}


def lines() -> Iterator[str]:
    """The members of each command's output, with their types."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for command, *outputs in _outputs():
            members: dict[str, set[str]] = {}
            for output in outputs:
                for path, kind in _members(json.loads(output), ""):
                    members.setdefault(path, set()).add(kind)
            for path, kinds in sorted(members.items()):
                if kinds - {"null"} or not any(each.startswith(f"{path}.") for each in members):
                    types = " or ".join(sorted(kinds - {"null"}))
                    yield ": ".join(filter(None, (command, path, types)))


def _members(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """The places of a value, with the types there."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _members(each, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for each in value:
            yield from _members(each, f"{path}[]")
        if not value:
            yield f"{path}[]", "null"
    else:
        yield path, _KINDS.get(type(value), "null")


def _run(*arguments: str) -> str:
    return CliRunner().invoke(command_line(arguments[0]), arguments).stdout


def _operation(name: str, summary: str, **parameters: str) -> dict[str, Any]:
    listed = [{"name": n, "in": "query", "schema": {"type": t}} for n, t in parameters.items()]
    texts = {"operationId": name, "summary": summary, "tags": [name]}
    return {**texts, "parameters": listed, "responses": _ANSWERS}


def _write(name: str, **paths: Any) -> None:
    info = {"title": "Garden", "version": "1"}
    servers = [{"url": "https://garden.example"}]
    document = {"openapi": "3.1.0", "info": info, "servers": servers, "paths": paths}
    Path(name).write_text(json.dumps(document))


def _edit(path: str, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


def _outputs() -> Iterator[tuple[str, ...]]:
    """Each command, and what it prints where something is to be told."""
    hidden = {**_operation("hide", "Hide."), "x-mcp": {"enabled": False}}
    odd = _operation("odd", "Odd.", a="strin")
    old = {
        "/beds": {"get": _operation("getBed", "Get a bed.", n="integer")},
        "/gone": {"get": _operation("getGone", "Get what goes.")},
        "/odd": {"get": odd, "post": hidden},
    }
    _write("api.json", **old)
    _write("old.json", **old)
    made = _run("from-openapi", "api.json", "-o", "server", "--surface", "search", "--json")
    failed = _run("from-openapi", "none.json", "-o", "none", "--json")
    yield "from-openapi", made, failed
    handlers = "server/garden_mcp/handlers"
    _edit(f"{handlers}/get_bed.py", "Get a bed", "Get one bed")
    _edit(f"{handlers}/get_gone.py", "    return await", "    # Mine.\n    return await")
    Path("server/README.md").unlink()
    new = {"get": _operation("getBed", "Get any bed.", n="string", more="boolean")}
    _write("api.json", **{"/beds": new, "/odd": {"get": odd, "post": hidden}})
    yield "check", _run("check", "server", "--json")
    yield "diff", _run("diff", "old.json", "api.json", "--json")
    with chdir("server"):
        yield "diff of servers", _run("diff", "--json")
    yield "inspect", _run("inspect", "server", "--json", "--max-tools", "0")
    with Path("server/mcpgen.toml").open("a") as file:
        file.write("\n[tools.getBed]\ntitle = 'Bed'\n")
    yield "settings", _run("settings", "server", "--tool", "getBed", "--json")
    yield "update", _run("update", "server", "--json"), _run("update", "none", "--json")
