"""Unenforced keywords inside keywords such as `not`, where leaving them out would refuse valid
values.

Omitting a keyword usually makes a schema accept more. Inside `not`, or in the `if` of a `then`, it
makes the schema refuse more (JSON Schema 2020-12 Core, 10.2.1.4 and 10.2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..patterns import advertised as patterns
from ..schemas.subschemas import LISTS, MAPS, SINGLE
from ..source.document import Node, ReferenceProblem
from .keywords import CHECKS, Unfit, type_meant

_COUNT = ("contains", "minContains", "maxContains")
_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_NUMBERS = frozenset({"int8", "int16", "int32", "int64", "float", "double", "decimal"})
"""Formats that only say how a number is stored."""
_MAX_SCHEMAS = 500
"""The most schemas that are looked at: references may form a loop, or multiply."""


def left_out(node: Node) -> dict[str, str]:
    """The keywords to leave out of a schema, each with the reason.

    Of keywords that are left out together, such as `if` and `then`, only the first has a reason;
    the others have an empty string.
    """
    reasons: dict[str, str] = {}
    for keywords in (("not",), ("if", "then", "else"), _COUNT, ("dependentSchemas",)):
        first = keywords[0]
        if first not in node or (keywords == _COUNT and "maxContains" not in node):
            continue
        if not _UNEVALUATED.isdisjoint(node.value):
            continue  # what it evaluates would be forbidden
        present = [node.child(keyword) for keyword in keywords if keyword in node]
        if first == "dependentSchemas":
            present = [each for _, each in present[0].items()]
        if weak := next(_weak(present), ""):
            reasons |= dict.fromkeys(keywords, "")
            reasons[first] = f"`{first}` is left out: it holds {weak}, which is not enforced"
    return reasons


def is_weak(node: Node) -> bool:
    """Whether a schema has an unenforced keyword, or refers to a schema that has one."""
    return any(_weak([node]))


def _weak(start: list[Node]) -> Iterator[str]:
    """The unenforced keywords of schemas and of all schemas that they reach, in words."""
    todo, seen = start, {(each.file, each.pointer) for each in start}
    while todo and len(seen) < _MAX_SCHEMAS:
        node = todo.pop()
        inner: list[Node] = []
        for key, child in node.items():
            if key == "$ref" and isinstance(child.value, str):
                try:
                    inner.append(node.target())
                except ReferenceProblem:
                    yield f"`{child.value}`, which leads nowhere"
            elif key in SINGLE:
                inner.append(child)
            elif key in LISTS:
                inner += child.elements()
            elif key in MAPS:
                inner += (each for _, each in child.items())
            if key == "patternProperties":
                yield from (f"`{name}`" for name, _ in child.items() if not patterns.key_of(name))
            yield from _of_keyword(key, child.value)
        for each in inner:
            if (each.file, each.pointer) not in seen:
                seen.add((each.file, each.pointer))
                todo.append(each)


def _of_keyword(key: str, value: Any) -> Iterator[str]:
    if key == "pattern" and isinstance(value, str) and not patterns.read(value).keywords:
        yield f"the pattern `{value}`"
    elif key == "format" and value not in _NUMBERS:
        yield f"the format `{value}`"
    elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        return  # OpenAPI 3.0's
    elif key in CHECKS and not (key == "type" and isinstance(value, str) and type_meant(value)):
        try:
            CHECKS[key](value)
        except Unfit:
            yield f"`{key}: {value}`"
