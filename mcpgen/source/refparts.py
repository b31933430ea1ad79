"""Which objects in a file outside the document's folder are parts of an API description.

Settings, state and secrets of other programs have objects that look like some of OpenAPI's. So an
object's place counts too: each step on the path to the object must be one that OpenAPI or JSON
Schema defines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..text import pointer as pointers
from .refscan import GRAMMAR, MAP, is_note

_LIST = "[]"
_MAPS = frozenset(kind + MAP for kind in GRAMMAR if kind != "example")
"""The maps that a file may be; `{"password": {"value": ...}}` is typical of other programs."""

_TYPES = {"one": (dict, bool), "list": (list, dict), "map": (dict, list)}

_WORDS: dict[str, dict[str, type]] = {
    "schema": {"enum": list},
    "response": {"description": str},
    "example": dict.fromkeys(
        ["value", "externalValue", "dataValue", "serializedValue"],
        object,
    ),
    "link": {"operationId": str, "operationRef": str},
}
"""Keywords that show an object's kind, besides keywords of the grammar that contain objects."""

_CHOICES = {
    "schema": (
        "type",
        {"object", "array", "string", "number", "integer", "boolean", "null", "file", "any"},
    ),
    "parameter": (
        "in",
        {"query", "querystring", "path", "header", "cookie", "body", "formData"},
    ),
    "scheme": (
        "type",
        {"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS", "basic"},
    ),
}
"""Keywords whose value shows the object's kind."""

_MEMBERS = {
    "response": {"$ref", "summary", "description", "examples"},
    "example": {"$ref", "summary", "description", *_WORDS["example"]},
    "link": {
        *("$ref", "operationId", "operationRef"),
        *("parameters", "requestBody", "description", "server"),
    },
    "scheme": {
        *("$ref", "type", "description", "name", "in", "scheme", "bearerFormat", "deprecated"),
        *("flows", "flow", "scopes", "authorizationUrl", "tokenUrl", "openIdConnectUrl"),
        "oauth2MetadataUrl",
    },
}
"""All members of kinds that have few; an object with another member is not of the kind."""


def is_part(kind: str, pointer: str, value: Any, whole: Any, *, little: bool) -> bool:
    """Whether a value is an object of `kind`, at a pointer where that kind may occur.

    `whole` is the content of the file. With `little`, a boolean or an object without `type` also
    counts as a schema.
    """
    says_little = little and kind == "schema" and _is_open(value)
    if not (says_little or _is_kind(kind, value)):
        return False
    kinds = set(GRAMMAR)
    if isinstance(whole, dict) and all(map(_may_be_named, whole.items())):
        kinds |= _MAPS
    for token in pointers.split(pointer):
        kinds = {child for kind in kinds for child in _below(kind, token)}
    return kind in kinds


def _is_open(value: Any) -> bool:
    """Whether a value is a schema that names no type."""
    return isinstance(value, bool) or (isinstance(value, dict) and "type" not in value)


def _may_be_named(member: tuple[str, Any]) -> bool:
    """Whether a member at the root of a file may be a part of an API description, or a note (`x-…`,
    `$…`).
    """
    key, value = member
    return isinstance(value, dict | bool) or key.startswith(("x-", "$"))


def _is_kind(kind: str, value: Any) -> bool:
    """Whether a value looks like an object of `kind`, or like a map of those objects."""
    if not isinstance(value, dict) or kind == "other":
        return False
    if kind.endswith(MAP) or kind == "callback":
        child = "path" if kind == "callback" else kind.removesuffix(MAP)
        return all(_is_kind(child, each) for key, each in value.items() if not is_note(child, key))
    members = _MEMBERS.get(kind)
    if members and not all(
        key in members or key in GRAMMAR[kind] or key.startswith("x-") for key in value
    ):
        return False
    return (
        isinstance(value.get("$ref"), str)
        or any(isinstance(value[key], types) for key, types in _telling(kind) if key in value)
        or _chooses(kind, value)
    )


def _telling(kind: str) -> Iterator[tuple[str, Any]]:
    yield from _WORDS.get(kind, {}).items()
    for key, (shape, child) in GRAMMAR[kind].items():
        if child != "other":
            yield key, _TYPES[shape]


def _chooses(kind: str, value: dict[str, Any]) -> bool:
    key, choices = _CHOICES.get(kind, ("", set()))
    choice = value.get(key)
    names = choice if isinstance(choice, list) else [choice]
    return bool(names) and all(isinstance(name, str) and name in choices for name in names)


def _below(kind: str, token: str) -> Iterator[str]:
    """The kinds that the member or item `token` may have in an object, map or list of `kind`."""
    if kind.endswith(_LIST):
        if token.isdigit():
            yield kind.removesuffix(_LIST)
    elif kind.endswith(MAP):
        yield kind.removesuffix(MAP)
    elif kind == "callback":
        yield "path"
    elif token in GRAMMAR[kind]:
        shape, child = GRAMMAR[kind][token]
        yield child + {"one": "", "list": _LIST, "map": MAP}[shape]
        if shape == "list":
            yield child
        elif shape == "map":
            yield child + _LIST
