"""Tool files that tests write and read."""

from pathlib import Path
from typing import Any

import pytest
from documents import load_value

from mcpgen.api import Api, Tool
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.readers import tool_file

ANY = {"type": "object"}


def read(folder: Path, file: dict[str, Any], found: Diagnostics | None = None) -> Api:
    return tool_file.read(load_value(folder, file), found if found is not None else Diagnostics())


def one(folder: Path, tool: dict[str, Any], **more: Any) -> Tool:
    """The tool of a file that has this one only."""
    (read_tool,) = read(folder, {"server": {}, **more, "tools": [described(tool)]}).tools
    return read_tool


def described(tool: dict[str, Any]) -> dict[str, Any]:
    default = {"name": "t", "description": "d", "inputSchema": ANY}
    return tool | {key: value for key, value in default.items() if key not in tool}


def taking(*names: str, required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    properties = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": properties, "required": list(required), **more}


def problems(folder: Path, file: dict[str, Any]) -> list[tuple[str, str]]:
    """Code and pointer of every error."""
    with pytest.raises(GenerationError) as caught:
        read(folder, file)
    found = caught.value.diagnostics
    assert all(item.location is not None and item.location.line >= 1 for item in found)
    return [(item.code, item.pointer) for item in found]


def of_tool(folder: Path, tool: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    """The same for a file with one tool, pointers from there."""
    found = problems(folder, {"server": {}, **more, "tools": [described(tool)]})
    return [(code, pointer.removeprefix("/tools/0")) for code, pointer in found]
