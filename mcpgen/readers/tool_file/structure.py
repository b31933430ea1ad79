"""Checks a tool file against its own JSON Schema: every problem at its place, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from msgspec import Struct

from ...api import HINTS
from ...bundled.contents import tool_file_schema
from ...runtime.schemas.patterns import matches
from ...source.sourcefile import kind_of
from ...text.nearest import nearest
from ...text.pointer import parent

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_KINDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
_REQUIRED = ("tools", "name", "inputSchema", "type", "src")
_NOT_OF_A_LIST = ("server", "$defs", "resources", "resourceTemplates", "prompts")


class ToolFile(Struct, frozen=True):
    """The part of a document that is a tool file."""

    root: Node
    """The object that holds `tools`."""
    is_dump: bool
    """What a server's `tools/list` answered: it says nothing of how tools are served."""


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(tool_file_schema())
    return schema


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
    """Report what violates the schema, and return its pointers and those of everything around it.

    In a `tools/list` answer an unknown key is kept and reported, and null counts as absent.
    """
    broken: set[str] = set()
    for error in sorted(_errors(file.root.value), key=lambda each: list(each.absolute_path)):
        node = file.root.nearest(error.absolute_path)
        if file.is_dump and _is_absent(error, node):
            continue
        if error.validator == "additionalProperties":
            _unknown_keys(error, node, diagnostics, is_dump=file.is_dump)
            continue
        code, message, hint = _in_words(error, node)
        diagnostics.error(code, message, node, hint)
        at = node.pointer
        while at not in broken:
            broken.add(at)
            at = parent(at)
    return frozenset(broken)


def _is_absent(error: ValidationError, node: Node) -> bool:
    """Whether the problem is a null that a serializer writes for an absent member."""
    optional = isinstance(error.absolute_path[-1], str) if error.absolute_path else False
    return optional and node.value is None and node.key not in _REQUIRED


def _errors(value: Any) -> Iterator[ValidationError]:
    make: Any = extend
    validator = make(Draft202012Validator, {"pattern": _pattern})(_schema())
    yield from validator.iter_errors(value)


def _pattern(_: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Check a pattern as JSON Schema means it: Python's `$` would also match before a line end."""
    if isinstance(value, str) and not matches(pattern, value):
        yield ValidationError("does not match")


def _unknown_keys(
    error: ValidationError, node: Node, diagnostics: Diagnostics, *, is_dump: bool
) -> None:
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    keys = list(schema.get("properties", {}))
    patterns = schema.get("patternProperties", {})
    for key, child in node.items():
        if key in keys or any(matches(pattern, key) for pattern in patterns):
            continue
        message = f"`{key}` is no key that is known here"
        near = f"{key}Hint" if f"{key}Hint" in HINTS else nearest(key, keys)
        meant = f"Did you mean `{near}`?" if near else ""
        if is_dump and near != f"{key}Hint":
            hint = f"{meant} It is kept as it is.".lstrip()
            diagnostics.warning("unknown-key", message, child, hint)
            continue
        diagnostics.error("unknown-key", message, child, meant or f"Known: {', '.join(keys)}.")


def _in_words(error: ValidationError, node: Node) -> tuple[str, str, str]:
    """Code, message and hint of a violation other than an unknown key."""
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    hint = str(schema.get("description", ""))
    name = f"`{node.key}`" if node.pointer else "the file"
    if error.absolute_path and isinstance(error.absolute_path[-1], int):
        name = "this entry"
    match error.validator:
        case "type":
            message = f"{name} must be {expected_kinds(error)}, found {kind_of(node.value)}"
            return "wrong-type", message, meant_boolean(error) or hint
        case "required":
            required: Any = error.validator_value
            missing = [key for key in required if key not in node]
            message = f"{name} has no {', '.join(f'`{key}`' for key in missing)}"
            return "missing-key", message, hint
        case "enum":
            listed: Any = error.validator_value
            choices = [str(choice) for choice in listed]
            near = nearest(str(node.value), choices)
            message = f"{name} is {_excerpt(node.value)}; it must be one of {', '.join(choices)}"
            return "wrong-value", message, f"Did you mean `{near}`?" if near else hint
        case "const":
            message = f"{name} is {_excerpt(node.value)}; it must be `{error.validator_value}`"
            return "wrong-value", message, hint
        case _:
            if node.key == "http" and isinstance(node.value, str):
                hint = _request_hint(node.value, schema) or hint
            return "wrong-value", f"{name} cannot be {_excerpt(node.value)}", hint


def expected_kinds(error: ValidationError) -> str:
    """What a violation of `type` wants, in words; empty for what only draft-03 has there."""
    type_value: Any = error.validator_value
    kinds = [type_value] if isinstance(type_value, str) else type_value
    are_known = all(isinstance(kind, str) and kind in _KINDS for kind in kinds)
    return " or ".join(_KINDS[kind] for kind in kinds) if are_known else ""


def meant_boolean(error: ValidationError) -> str:
    """The hint for a word that only YAML 1.1 takes for a boolean; empty for anything else."""
    word: Any = error.instance
    type_value: Any = error.validator_value
    if not isinstance(word, str) or "boolean" not in (type_value, *type_value):
        return ""
    meant = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(word.lower(), "")
    return f"Write `{meant}`: in YAML 1.2 `{word}` is text." if meant else ""


def _request_hint(line: str, schema: Mapping[str, Any]) -> str:
    """What is wrong with the text of a request; empty if that is unclear."""
    method, _, path = line.partition(" ")
    methods: list[str] = schema["properties"]["method"]["enum"]
    if method.startswith("/"):
        return f"The method stands before the path, as in `{methods[0]} /pets`."
    if method not in methods:
        near = nearest(method, methods)
        return f"Did you mean `{near}`?" if near else f"The methods are {', '.join(methods)}."
    if "://" in path:
        return "Only the path stands here, as in `GET /pets`: the address is `server.baseUrl`."
    if path.split() != [path]:
        return "One blank stands between the method and the path; in a path it is `%20`."
    return "" if path.startswith("/") else "The path starts with `/`, as in `GET /pets`."


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return repr(shortened(text)) if text else "empty"


def shortened(text: str) -> str:
    """At most 80 characters of a text, for a message."""
    return text if len(text) <= 80 else f"{text[:77]}..."
