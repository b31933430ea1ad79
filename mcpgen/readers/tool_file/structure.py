"""Checks a tool file against its JSON Schema; every problem is reported at its node."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...api import HINTS
from ...bundled.contents import tool_file_schema
from ...schemas.violations import Form, Violation
from ...schemas.wording import Terms, around, correction, words
from ...text.nearest import nearest

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_REQUIRED = ("tools", "name", "inputSchema", "type", "src")
_NOT_OF_A_LIST = ("server", "$defs", "resources", "resourceTemplates", "prompts")


class ToolFile(Struct, frozen=True):
    """The object in a document that holds `tools`; it may be a server's `tools/list` answer."""

    root: Node
    """The object that holds `tools`."""
    is_dump: bool
    """The file is a server's `tools/list` answer, which does not say how tools are implemented."""


@cache
def _form() -> Form:
    return Form(json.loads(tool_file_schema()))


def open_file(root: Node) -> ToolFile:
    """The tool file in a document: its root, or the `result` of a JSON-RPC response."""
    result = root.get("result")
    if "tools" not in root and result is not None and "tools" in result:
        root = result
    tools = root.get("tools")
    served = any(key in root for key in _NOT_OF_A_LIST)
    if tools is not None:
        served = served or any("http" in tool for tool in tools.elements())
    return ToolFile(root, not served)


def check(file: ToolFile, diagnostics: Diagnostics) -> frozenset[str]:
    """Report where a tool file violates its schema.

    Returns the pointers of the invalid values, and of all values that contain them. In a
    `tools/list` answer, an unknown key is only a warning, and null counts as absent.
    """
    broken: list[str] = []
    for each in _form().violations(file.root.value):
        node = file.root.nearest(each.path)
        said = words(each, Terms())
        hint = _hint(each) or said.hint
        if file.is_dump and _is_absent(each):
            continue
        if file.is_dump and each.keyword == "unexpected" and not _hint(each):
            hint = f"{correction(each)} It is kept as it is.".lstrip()
            diagnostics.warning(said.code, said.message, node, hint)
            continue
        diagnostics.error(said.code, said.message, node, hint)
        if each.keyword != "unexpected":
            broken.append(node.pointer)
    return around(broken)


def _is_absent(violation: Violation) -> bool:
    """Whether a violation is a null that a serializer wrote for an absent member."""
    key = violation.path[-1] if violation.path else 0
    return isinstance(key, str) and violation.value is None and key not in _REQUIRED


def _hint(violation: Violation) -> str:
    """A hint about an annotation without `Hint` in its name, or about an invalid request line."""
    key = violation.path[-1] if violation.path else ""
    if violation.keyword == "unexpected":
        return f"Did you mean `{key}Hint`?" if f"{key}Hint" in HINTS else ""
    if key == "http" and isinstance(violation.value, str):
        return _request_hint(violation.value, violation.schema)
    return ""


def _request_hint(line: str, schema: Mapping[str, Any]) -> str:
    """The mistake in a request line (`GET /pets`); empty if it is unclear."""
    method, _, path = line.partition(" ")
    methods: list[str] = schema["properties"]["method"]["enum"]
    if method.startswith("/"):
        return f"Write the method before the path, as in `{methods[0]} /pets`."
    if method not in methods:
        near = nearest(method, methods)
        return f"Did you mean `{near}`?" if near else f"The methods are {', '.join(methods)}."
    if "://" in path:
        return "Write only the path, as in `GET /pets`: the address is `server.baseUrl`."
    if path.split() != [path]:
        return "Write one blank between the method and the path; in a path it is `%20`."
    return "" if path.startswith("/") else "The path starts with `/`, as in `GET /pets`."
