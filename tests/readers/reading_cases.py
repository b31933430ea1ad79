"""Cases of readers: a folder has a document, and what is read of it.

    python tests/readers/reading_cases.py       writes anew what is expected of every case

| file | what it holds |
|---|---|
| `api.json` | the document |
| `settings.json` | the settings, where there are some |
| `tools.json` | the tools that agents see |
| `calls.json` | the request of each tool: what is not as usual |
| `messages.txt` | the messages, where there are some: where, of what weight, what and the way out |
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from mcpgen import source
from mcpgen.api import Api
from mcpgen.catalogue import tools_json
from mcpgen.diagnostics import Diagnostics
from mcpgen.lock import Lock
from mcpgen.readers.openapi import read
from mcpgen.settings import Settings

CASES = Path(__file__).parent / "cases"
MESSAGES = "messages.txt"


def expected(folder: Path) -> dict[str, str]:
    """The files of a case that say what is read, by name; those that have nothing to say are none.

    Raises GenerationError for a document that cannot be read.
    """
    diagnostics = Diagnostics()
    given = folder / "settings.json"
    settings = json.loads(given.read_text("utf-8")) if given.exists() else {}
    document = source.load(str(folder / "api.json"), diagnostics=diagnostics)
    api = read(document, Settings(**settings), diagnostics, Lock("", "", ""))
    listed = json.loads(tools_json.encoded(api))["tools"]
    files = {"tools.json": _text(listed), "calls.json": _text(_calls(api)), MESSAGES: ""}
    for item in diagnostics.items:
        line = f"{item.pointer or '/'}: {item.severity.value}[{item.code}]: {item.message}\n"
        text = line + (f"  {item.hint}\n" if item.hint else "")
        files[MESSAGES] += text.replace(f"{folder}/", "")
    return {name: text for name, text in files.items() if text}


def _calls(api: Api) -> dict[str, Any]:
    """By tool, the members of its request and its arguments that are not as usual."""
    return {
        tool.name: {"http": _unusual(tool.http), "arguments": list(map(_unusual, tool.arguments))}
        for tool in api.tools
    }


def _unusual(value: Any) -> Any:
    """A value in JSON, without the fields that are as their class has them."""
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(value)
        members = {each.name: getattr(value, each.name) for each in fields}
        usual = {each.name: each.default for each in fields}
        return {k: _unusual(v) for k, v in members.items() if v != usual[k] and k != "schema"}
    if isinstance(value, tuple | list | frozenset | set):
        return [_unusual(each) for each in value]
    if isinstance(value, dict):
        return {str(k): _unusual(v) for k, v in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n" if value else ""


def main() -> int:
    """Write what is expected of every case."""
    for folder in sorted(CASES.iterdir()):
        files = expected(folder)
        for name in ("tools.json", "calls.json", MESSAGES):
            path = folder / name
            path.unlink(missing_ok=True)
            if name in files:
                path.write_text(files[name], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
