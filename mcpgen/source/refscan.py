"""Finds every reference of a document where OpenAPI or JSON Schema allow references.

A `$ref` in an example, a default, an enum or an extension is data, and so is a property called
`$ref`. `externalValue` and `operationRef` are not followed either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from ..text.pointer import escape

Shape = Literal["one", "list", "map"]
"""How a keyword contains objects: as one object, a list, or a map by name."""

Grammar = dict[str, dict[str, tuple[Shape, str]]]


class Reference(NamedTuple):
    """A reference at a pointer, its text, and the kind of object that it replaces."""

    pointer: str
    kind: str
    reference: str
    value: Any


def _all(shape: Shape, kind: str, *keys: str) -> dict[str, tuple[Shape, str]]:
    return dict.fromkeys(keys, (shape, kind))


_PARAMETER = {
    **_all("one", "schema", "schema", "items"),
    **_all("map", "media", "content"),
    **_all("map", "example", "examples"),
}

GRAMMAR: Grammar = {
    "document": {
        **_all("map", "path", "paths", "webhooks", "x-webhooks"),
        **_all("one", "components", "components"),
        **_all("map", "schema", "definitions"),
        **_all("map", "parameter", "parameters"),
        **_all("map", "response", "responses"),
        **_all("map", "scheme", "securityDefinitions"),
        **_all("one", "other", "info"),
        **_all("list", "other", "tags", "servers", "security"),
    },
    "components": {
        **_all("map", "schema", "schemas"),
        **_all("map", "response", "responses"),
        **_all("map", "parameter", "parameters"),
        **_all("map", "example", "examples"),
        **_all("map", "body", "requestBodies"),
        **_all("map", "header", "headers"),
        **_all("map", "scheme", "securitySchemes"),
        **_all("map", "link", "links"),
        **_all("map", "callback", "callbacks"),
        **_all("map", "path", "pathItems"),
        **_all("map", "media", "mediaTypes"),
    },
    "path": {
        **_all("one", "operation", "get", "put", "post", "delete", "options", "head", "patch"),
        **_all("one", "operation", "trace", "query"),
        **_all("map", "operation", "additionalOperations"),
        **_all("list", "parameter", "parameters"),
        **_all("list", "other", "servers"),
    },
    "operation": {
        **_all("list", "parameter", "parameters"),
        **_all("list", "other", "tags", "servers", "security"),
        **_all("one", "body", "requestBody"),
        **_all("map", "response", "responses"),
        **_all("map", "callback", "callbacks"),
    },
    "callback": {},
    "parameter": _PARAMETER,
    "header": _PARAMETER,
    "body": _all("map", "media", "content"),
    "response": {
        **_all("map", "header", "headers"),
        **_all("map", "media", "content"),
        **_all("map", "link", "links"),
        **_all("one", "schema", "schema"),
    },
    "media": {
        **_all("one", "schema", "schema", "itemSchema"),
        **_all("map", "example", "examples"),
        **_all("map", "encoding", "encoding"),
        **_all("list", "encoding", "prefixEncoding"),
        **_all("one", "encoding", "itemEncoding"),
    },
    "encoding": {
        **_all("map", "header", "headers"),
        **_all("map", "encoding", "encoding"),
        **_all("list", "encoding", "prefixEncoding"),
        **_all("one", "encoding", "itemEncoding"),
    },
    "example": {},
    "link": {},
    "scheme": {},
    "other": {},
    "schema": {
        **_all("map", "schema", "properties", "patternProperties", "$defs", "definitions"),
        **_all("map", "schema", "dependentSchemas", "dependencies"),
        **_all("list", "schema", "allOf", "anyOf", "oneOf", "prefixItems", "items"),
        **_all("one", "schema", "additionalProperties", "additionalItems", "not", "contains"),
        **_all("one", "schema", "if", "then", "else", "propertyNames", "contentSchema"),
        **_all("one", "schema", "unevaluatedItems", "unevaluatedProperties"),
    },
}

MAP = "*"
"""The suffix for the kind of a map: an object of named objects, or in practice a `$ref`."""

_EXTENSIBLE = frozenset(["path", "response"])
"""Kinds whose maps may have extensions (OpenAPI's Paths, Responses and Callback objects)."""

_NAMES_ARE_DATA = frozenset(["properties", "patternProperties", "dependentSchemas", "dependencies"])
"""Maps in which a key `$ref` is a name like any other, unless its value is a text."""

_DYNAMIC = ("$dynamicRef", "$recursiveRef")
"""Keywords that refer to a schema like `$ref`, unless a dynamic scope changes the target."""

_REFERRING = frozenset(["$ref", "discriminator", *_DYNAMIC])
"""Keywords that only an object with a reference has."""


def component_kind(pointer: str) -> str:
    """The kind of the component at a pointer of a document; empty if it is not a component."""
    *holder, section, name = ("", *pointer.split("/"))
    grammar = {("", ""): "document", ("", "", "components"): "components"}.get(tuple(holder), "")
    return GRAMMAR[grammar].get(section, ("", ""))[1] if grammar and name else ""


class Scanner:
    """Finds the references in one file; never visits the same object twice."""

    def __init__(self) -> None:
        self._pointers: set[str] = set()

    def scan(self, pointer: str, kind: str, value: Any) -> Iterator[Reference]:
        """The references in `value`, a value of `kind` at `pointer`, in the order of the text."""
        stack = [(pointer, kind, value)]
        while stack:
            pointer, kind, value = stack.pop()
            if isinstance(value, list):
                inner = [(f"{pointer}/{i}", kind, item) for i, item in enumerate(value)]
            elif isinstance(value, dict) and pointer not in self._pointers:
                self._pointers.add(pointer)
                if not _REFERRING.isdisjoint(value):
                    yield from _references(pointer, kind, value)
                inner = list(_children(pointer, kind, value))
            else:
                continue
            stack += reversed(inner)


def _children(pointer: str, kind: str, value: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    if kind.endswith(MAP):
        yield from _members(pointer, kind.removesuffix(MAP), value)
        return
    if kind == "callback":
        yield from _members(pointer, "path", value)
        return
    grammar = GRAMMAR[kind]
    for key, inner in value.items():
        if not isinstance(inner, (dict, list)) or not (key in grammar or key == "description"):
            continue
        shape, child = grammar.get(key, ("one", "other"))
        place = f"{pointer}/{escape(key)}"
        if shape != "map" or isinstance(inner, list):
            yield place, child, inner
        elif key in _NAMES_ARE_DATA and not isinstance(inner.get("$ref"), str):
            yield from _members(place, child, inner)
        else:
            yield place, child + MAP, inner


def _members(pointer: str, kind: str, value: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, (dict, list)) and not is_note(kind, key):
            yield f"{pointer}/{escape(key)}", kind, inner


def is_note(kind: str, key: str) -> bool:
    """Whether a key in a map of `kind` objects is an extension (`x-...`), not a named object."""
    return kind in _EXTENSIBLE and key.startswith("x-")


def _references(pointer: str, kind: str, value: dict[str, Any]) -> Iterator[Reference]:
    reference = value.get("$ref")
    if isinstance(reference, str):
        yield Reference(pointer, kind, reference, value)
    for key in _DYNAMIC if kind == "schema" else ():
        text = value.get(key)
        if isinstance(text, str):
            yield Reference(f"{pointer}/{escape(key)}", "dynamic", text, text)
    discriminator = value.get("discriminator")
    if kind == "schema" and isinstance(discriminator, dict):
        yield from _mapped(f"{pointer}/discriminator", discriminator)


def _mapped(pointer: str, discriminator: dict[str, Any]) -> Iterator[Reference]:
    mapping = discriminator.get("mapping")
    for key, text in mapping.items() if isinstance(mapping, dict) else ():
        if isinstance(text, str):
            yield Reference(f"{pointer}/mapping/{escape(key)}", "mapping", text, text)
    default = discriminator.get("defaultMapping")
    if isinstance(default, str):
        yield Reference(f"{pointer}/defaultMapping", "mapping", default, default)
