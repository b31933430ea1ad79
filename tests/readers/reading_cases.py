"""Cases of readers: a folder has a document, and what is read of it.

    python tests/readers/reading_cases.py       writes anew what is expected of every case

| file | what it holds |
|---|---|
| `api.json` or `api.yaml` | the document, beside the files that it refers to |
| `settings.json` | the settings, where there are some |
| `lock.json` | the names of tools in the lock, where there are some |
| `arguments.json` | arguments of calls, by tool, where requests are looked at |
| `tools.json` | the tools that agents see |
| `requests.json` | the requests of those calls |
| `calls.json` | what a server knows of each tool besides: what is not as usual |
| `server.json` | what is not as usual of the server |
| `schemas.json` | the schemas, of a document that has nothing else |
| `messages.txt` | the messages, where there are some: where, of what weight, what and the way out |

`x-rule` in a document is the reason of its rule.
"""

import json
import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

import msgspec

from mcpgen import source
from mcpgen.api import Api, Argument, Tool
from mcpgen.cases.requests import Requests
from mcpgen.catalogue import tools_json
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.lock import Lock
from mcpgen.readers import is_tool_file, openapi, tool_file
from mcpgen.readers.dialect import Dialect, SchemaPool
from mcpgen.settings import Settings
from mcpgen.source.document import Document

CASES = Path(__file__).parent / "cases"
_DATA = ("tools", "calls", "server", "schemas", "requests")
EXPECTED = (*(f"{name}.json" for name in _DATA), "messages.txt")
_SEEN = {"title", "description", "summary", "input_schema", "output_schema", "annotations"}
_ELSEWHERE = _SEEN | {"name", "icons", "written", "said", "pointer", "operation", "arguments"}
_WIDTH = 120


def expected(folder: Path) -> dict[str, str]:
    """The files of a case that say what is read, by name; those that have nothing to say are none.

    Raises GenerationError for a document that is none.
    """
    diagnostics = Diagnostics()
    [path] = folder.glob("api.*")
    document = source.load(str(path), diagnostics=diagnostics)
    files: dict[str, Any] = {}
    members = document.root.value.keys()
    if "paths" not in members and members & {"components", "definitions"}:
        files["schemas.json"] = _schemas(document, diagnostics, **_given(folder, "settings"))
    else:
        try:
            api = _read(document, folder, diagnostics)
            files |= _files(api) | _requests(api, **_given(folder, "arguments"))
        except GenerationError as error:
            diagnostics.extend(error.diagnostics)
    texts = {name: f"{_text(value)}\n" for name, value in files.items() if value}
    lines = ""
    for item in diagnostics.items:
        lines += f"{item.pointer or '/'}: {item.severity.value}[{item.code}]: {item.message}\n"
        lines += f"  {item.hint}\n" if item.hint else ""
    texts |= {"messages.txt": lines} if lines else {}
    return {name: text.replace(f"{folder}/", "") for name, text in texts.items()}


def _given(folder: Path, name: str) -> dict[str, Any]:
    path = folder / f"{name}.json"
    values: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return values


def _read(document: Document, folder: Path, diagnostics: Diagnostics) -> Api:
    if is_tool_file(document):
        return tool_file.read(document, diagnostics)
    lock = Lock("", "", "", tools=_given(folder, "lock"))
    return openapi.read(document, Settings(**_given(folder, "settings")), diagnostics, lock)


def _schemas(document: Document, diagnostics: Diagnostics, **options: Any) -> dict[str, Any]:
    """The components as they are converted, and the definitions that these refer to."""
    root = document.root.value
    dialect = next(
        dialect
        for head, dialect in (("2", Dialect.OAS20), ("3.0", Dialect.OAS30), ("3", Dialect.OAS31))
        if str(root.get("swagger") or root["openapi"]).startswith(head)
    )
    pool = SchemaPool(document, dialect, diagnostics, **options)
    place = "/definitions" if "swagger" in root else "/components/schemas"
    node = document.node(document.root.file, place)
    converted = {name: pool.add(node[name]) for name in node.value}
    return {"components": converted, "$defs": dict(pool.schemas)}


def _files(api: Api) -> dict[str, Any]:
    rest = _unusual(api, {"tools", "schemas", "security"})
    rest |= {"security": api.security} if api.security else {}
    usual = {"title": "T", "version": "1", "servers": [{"url": "/"}]}
    return {
        "tools.json": json.loads(tools_json.encoded(api))["tools"],
        "calls.json": {tool.name: _call(tool) for tool in api.tools},
        "server.json": {k: v for k, v in rest.items() if usual.get(k) != v},
    }


def _requests(api: Api, **calls: list[dict[str, Any]]) -> dict[str, Any]:
    tools = {tool.name: tool for tool in api.tools}
    made = Requests(api, {}).expected
    sent = {name: [made(tools[name], each) for each in given] for name, given in calls.items()}
    return {"requests.json": sent}


def _call(tool: Tool) -> dict[str, Any]:
    """What is not as usual of a tool's request, of its arguments and of what comes back."""
    seen = _ELSEWHERE | (set() if tool.output_schema is None else {"result"})
    call = _unusual(tool, seen | (set() if tool.tagged else {"tag", "tagged"}))
    if call.get("operation_id") == tool.name:
        del call["operation_id"]
    for name in ("result", "result_media_type"):
        if call.get(name, "") is None:
            del call[name]
    arguments = {each.name: _argument(each) for each in tool.arguments}
    return call | ({"arguments": arguments} if arguments else {})


def _argument(argument: Argument) -> dict[str, Any]:
    same = {"wire_name"} if argument.wire_name == argument.name else set()
    return dict(_unusual(argument, {"name", "schema", "description", "required", "pointer", *same}))


def _unusual(value: Any, without: Set[str] = frozenset({"schema"})) -> Any:
    """A value in JSON, without the fields that are as their class has them."""
    if isinstance(value, msgspec.Struct):
        members = {
            each.name: (getattr(value, each.name), each.default)
            for each in msgspec.structs.fields(value)
            if each.name not in without
        }
        return {k: _unusual(v) for k, (v, usual) in members.items() if v not in (usual, {})}
    if isinstance(value, tuple | list | frozenset | set):
        return [_unusual(each) for each in value]
    if isinstance(value, dict):
        return {str(k): _unusual(v) for k, v in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _text(value: Any, indent: str = "\n") -> str:
    """JSON in short lines: what fits into one stands in one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(indent) <= _WIDTH or not isinstance(value, dict | list | tuple):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(k, ensure_ascii=False)}: {_text(v, inner)}" for k, v in value.items()
        ]
        return "{" + inner + f",{inner}".join(parts) + indent + "}"
    return "[" + inner + f",{inner}".join(_text(each, inner) for each in value) + indent + "]"


def main() -> int:
    """Write what is expected of every case."""
    for folder in sorted(CASES.iterdir()):
        files = expected(folder)
        for name in EXPECTED:
            (folder / name).unlink(missing_ok=True)
            if name in files:
                (folder / name).write_bytes(files[name].encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
