"""The places of subschemas in a JSON Schema 2020-12 object, and the targets of references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api import Schema

SINGLE = frozenset(
    {
        "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords whose value is a schema."""

LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose value is an array of schemas."""

MAPS = frozenset({"dependentSchemas", "patternProperties", "properties"})
"""Keywords whose value is an object of schemas."""

HOLDERS = SINGLE | LISTS | MAPS
"""Keywords with schemas inside."""
_NONE: frozenset[str] = frozenset()

VALUES = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords whose values are data, in which nothing is a schema."""

ANNOTATIONS = frozenset(
    {"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples"}
)
"""Keywords that no instance can fail."""

REFERENCE = "#/$defs/"
"""What every `$ref` begins with; a definition's key follows."""


def reference_to(key: str) -> dict[str, Any]:
    """The schema that refers to a definition."""
    return {"$ref": REFERENCE + key}


def referred_key(schema: Schema) -> str | None:
    """The key of the definition that the schema's own `$ref` names."""
    if isinstance(schema, bool):
        return None
    ref = schema.get("$ref")
    return ref[len(REFERENCE) :] if isinstance(ref, str) and ref.startswith(REFERENCE) else None


def only_reference(schema: Schema) -> str | None:
    """The key of the definition, if a schema has a `$ref` and nothing else."""
    return None if isinstance(schema, bool) or len(schema) != 1 else referred_key(schema)


def children(schema: Mapping[str, Any]) -> Iterator[Schema]:
    """The schemas directly inside a schema, in the schema's order."""
    for keyword, value in schema.items():
        if keyword in SINGLE:
            yield value
        elif keyword in LISTS:
            yield from value
        elif keyword in MAPS:
            yield from value.values()


def with_inner(schema: Mapping[str, Any], change: Callable[[Schema], Schema]) -> dict[str, Any]:
    """A copy of a schema in which `change` was applied to each schema directly inside it."""
    out: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in SINGLE:
            out[keyword] = change(value)
        elif keyword in LISTS:
            out[keyword] = [change(item) for item in value]
        elif keyword in MAPS:
            out[keyword] = {name: change(item) for name, item in value.items()}
        else:
            out[keyword] = value
    return out


def walk(schema: Schema) -> Iterator[Mapping[str, Any]]:
    """Every schema object in a schema, including itself, without following references."""
    stack: list[Schema] = [schema]
    while stack:
        current = stack.pop()
        if isinstance(current, bool):
            continue
        yield current
        if HOLDERS.isdisjoint(current):
            continue
        for keyword, value in current.items():
            if keyword in SINGLE:
                stack.append(value)
            elif keyword in LISTS:
                stack.extend(value)
            elif keyword in MAPS:
                stack.extend(value.values())


def references(schema: Schema) -> frozenset[str]:
    """The keys of all definitions that a schema refers to directly."""
    if isinstance(schema, bool) or ("$ref" not in schema and HOLDERS.isdisjoint(schema)):
        return _NONE
    keys = [referred_key(part) for part in walk(schema) if "$ref" in part]
    return frozenset([key for key in keys if key is not None])
