"""Values of `enum`, `const`, `default` and examples, converted to the declared type.

The declared `type` shows what an author meant: YAML reads `1.0` as a number if a version has no
quotes, and a program writes `"10"` where a number is declared. Such a value is read from the
document's text, as the declared type. A value that is still invalid is left out, since a server
must accept what it advertises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any

from msgspec import Struct

from ..api import Schema
from ..samples.checks import Checker
from ..schemas.questions import properties
from ..schemas.rules import Rules, is_finite, same, types_of
from ..schemas.subschemas import VALUES
from ..schemas.types import declared_types, type_of, with_integers
from ..source.document import Node
from .keywords import distinct

Warn = Callable[[Node, str, str], None]
"""Reports a message and a hint at a node."""

RESPELLED = (
    "`{}` is written as a type that is not the declared one; it is read as the declared type"
)
REFUSED = "`{}` has a value that its own schema refuses; it is left out"
NOTHING = "`{}` has no value that fits the schema beside it: nothing is accepted"
OF_ITEMS = "`enum` beside `type: array` has no arrays; it is read as that of the items"
QUOTES = "Put strings in quotes; numbers, true and false without quotes."

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?")
_FLAGS = {"true": True, "false": False}
_YAML_1_1 = {"yes": True, "no": False, "on": True, "off": False}
"""Words that are booleans in YAML 1.1, which some documents are written for."""
_CONTAINERS = {"{": "object", "[": "array"}
_MAX_DEPTH = 24
_MAX_BRANCH_DEPTH = 3
"""The most levels of nested alternatives whose types are looked at."""
_NONE: Any = object()


class Meant(Struct, frozen=True):
    """The values of a keyword, converted to the declared type, and what had to be changed."""

    values: list[Any]
    respelled: bool
    """Whether any value is written as another type."""
    refused: bool
    """Whether any value is left out since the schema refuses it."""
    unchanged: bool
    """Whether all values are as they are written."""


def read(
    nodes: Iterable[Node], schema: Schema, pool: Mapping[str, Schema], *, keep: bool = False
) -> Meant:
    """The values at some nodes, converted to the types in the schema that describes them.

    Values that are still invalid are left out, unless `keep` is set.
    """
    checker = Checker(pool)
    values: list[Any] = []
    respelled = refused = changed = False
    for node in nodes:
        if node.has_odd_numbers:  # the parser has told
            changed = True
            continue
        if not checker.refused(node.value, schema):
            values.append(node.value)
            continue
        value = _read(node, schema, pool, 0)
        fits = not checker.refused(value, schema)
        refused |= not fits
        if fits or keep:
            # OpenAPI lets a text stand for an array or object that the document cannot hold.
            is_text = isinstance(node.value, str) and isinstance(value, (dict, list))
            changed |= not same(value, node.value)
            respelled |= not is_text and not same(value, node.value)
            values.append(value)
    return Meant(values, respelled, refused, not (changed or refused))


def settle_choices(
    node: Node, schema: dict[str, Any], pool: Mapping[str, Schema], warn: Warn
) -> None:
    """Convert a schema's `enum` and `const`, in place, to the types that its other keywords allow.

    If no value is left, the schema accepts nothing. All its references must be in the pool.
    """
    if "enum" in schema and declared_types(schema.get("type", ())) - {"null"} == {"array"}:
        _give_to_items(node, schema, pool, warn)
    for keyword in ("enum", "const"):
        if keyword not in schema or keyword not in node:
            continue
        rest = {name: rule for name, rule in schema.items() if name not in VALUES}
        at = node.child(keyword)
        meant = read(at.elements() if keyword == "enum" else [at], rest, pool)
        if meant.unchanged:
            continue
        values = [*meant.values]
        if keyword == "enum" and schema["enum"][-1] is None and node.value["enum"][-1] is not None:
            values.append(None)  # of `nullable`
        if values:
            _tell(at, keyword, meant, warn)
            schema[keyword] = distinct(values) if keyword == "enum" else values[0]
        else:
            warn(at, NOTHING.format(keyword), QUOTES)
            del schema[keyword]
            schema["not"] = {}


def settle_examples(
    node: Node, schema: dict[str, Any], pool: Mapping[str, Schema], warn: Warn
) -> None:
    """Convert a schema's `default` and examples, in place, to the types in its other keywords."""
    rest = {name: rule for name, rule in schema.items() if name not in ("default", "examples")}
    is_list = isinstance(node.optional("examples").value, list)
    example = "examples" if is_list else "example"
    for keyword, name in (("default", "default"), ("examples", example)):
        if keyword not in schema or name not in node:
            continue
        at = node.child(name)
        meant = read(at.elements() if name == "examples" else [at], rest, pool)
        if meant.unchanged:
            continue
        _tell(at, name, meant, warn)
        if not meant.values:
            del schema[keyword]
        else:
            schema[keyword] = meant.values if keyword == "examples" else meant.values[0]


def refused(
    node: Node, schema: Mapping[str, Any], pool: Mapping[str, Schema]
) -> Iterator[tuple[str, Node]]:
    """The values in a schema that its other keywords forbid, each with the keyword that has it."""
    checker = Checker(pool)
    for keyword in ("enum", "const", "default", "examples"):
        at = node.optional(keyword)
        values = at.elements() if keyword in ("enum", "examples") else [at]
        rest = {name: rule for name, rule in schema.items() if name != keyword}
        for each in values if keyword in node and keyword in schema else ():
            if checker.refused(each.value, rest):
                yield keyword, each


def _tell(at: Node, name: str, meant: Meant, warn: Warn) -> None:
    if meant.respelled:
        warn(at, RESPELLED.format(name), QUOTES)
    if meant.refused:
        warn(at, REFUSED.format(name), "")


def _give_to_items(
    node: Node, schema: dict[str, Any], pool: Mapping[str, Schema], warn: Warn
) -> None:
    """Move the `enum` of an array to its items, if no value in it is an array."""
    items, at = schema.get("items", {}), node.optional("enum")
    if any(isinstance(value, list) for value in schema["enum"]) or not isinstance(items, dict):
        return
    meant = read((each for each in at.elements() if each.value is not None), items, pool)
    if not meant.values:
        return
    schema["items"] = items if "enum" in items else {**items, "enum": distinct(meant.values)}
    del schema["enum"]
    warn(at, OF_ITEMS, "Write it in `items`.")


def _read(node: Node, schema: Schema, pool: Mapping[str, Schema], depth: int) -> Any:
    """The value at a node, with everything in it converted to the types in its schema."""
    value, types = node.value, with_integers(types_of(schema, pool, implied=False))
    if depth > _MAX_DEPTH:
        return value
    if type_of(value) not in types:
        respelling = _respelled(node, types)
        return value if respelling is _NONE else respelling
    if isinstance(value, dict):
        members = properties(schema, pool)
        other = _inner(schema, "additionalProperties", pool)
        return {
            name: _read(child, members.get(name, other), pool, depth + 1)
            for name, child in node.items()
        }
    if isinstance(value, list):
        items = _inner(schema, "items", pool)
        return [_read(each, items, pool, depth + 1) for each in node.elements()]
    return value


def _inner(schema: Schema, keyword: str, pool: Mapping[str, Schema]) -> Schema:
    """The schema under a keyword such as `items`, in the schema or in its reference's target."""
    return next(iter(Rules.of(schema, pool).each(keyword)), True)


def _respelled(node: Node, types: Set[str]) -> Any:
    """The value at a node, converted to one of the types; `_NONE` if that is impossible."""
    value = node.value
    if isinstance(value, str):
        return _of_text(value, types, is_plain=node.written == value)
    if value is None or isinstance(value, (dict, list)) or "string" not in types:
        return _NONE
    return node.written or json.dumps(value)


def _of_text(text: str, types: Set[str], *, is_plain: bool) -> Any:
    word = text.strip()
    if "boolean" in types:
        flags = {**_FLAGS, **_YAML_1_1} if is_plain else _FLAGS
        if word.lower() in flags:
            return flags[word.lower()]
    if types & {"integer", "number"} and _NUMBER.fullmatch(word):
        number = json.loads(word)
        is_whole = isinstance(number, int) or number.is_integer()
        if is_finite(number) and ("number" in types or is_whole):
            return number if "number" in types else int(number)
    if "null" in types and word == "null":
        return None
    if _CONTAINERS.get(word[:1]) in types:
        try:
            return json.loads(word)
        except (ValueError, RecursionError):
            return _NONE
    return _NONE
