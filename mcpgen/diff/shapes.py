"""Schemas as they are compared: references followed, what `allOf` joins joined, their types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..schemas.types import ALL

Shape = dict[str, Any]
"""The keywords of a schema, without references and `allOf`."""

WORDS = frozenset(
    {"title", "description", "examples", "example", "deprecated", "$comment", "$defs", "$schema",
     "$id", "readOnly", "writeOnly", "externalDocs", "xml", "discriminator"}
)  # fmt: skip
_DEPTH = 4
"""Of forms in forms whose types are looked for."""


def shape(schema: Any, root: Any) -> Shape:
    """A schema as an object, references followed and what `allOf` joins joined."""
    if schema is False or schema == {"not": {}}:
        return {"enum": []}
    if not isinstance(schema, Mapping):
        return {}
    out = dict(schema)
    seen: set[str] = set()
    while "$ref" in out and out["$ref"] not in seen:
        seen.add(out["$ref"])
        target = _target(out.pop("$ref"), root)
        out = {**target, **out}
    for part in out.pop("allOf", []):
        out = _joined(out, shape(part, root))
    return out


def _target(reference: str, root: Any) -> Shape:
    found = root.get("$defs", {}).get(name(reference)) if isinstance(root, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def name(reference: str) -> str:
    """The key of a definition that is referred to."""
    return reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")


def _joined(one: Shape, other: Shape) -> Shape:
    out = {**other, **one}
    if "properties" in one or "properties" in other:
        mine, others = one.get("properties", {}), other.get("properties", {})
        both = {
            key: {"allOf": [mine[key], others[key]]}
            for key in mine.keys() & others.keys()
            if mine[key] != others[key]
        }
        out["properties"] = {**others, **mine, **both}
    if "type" in one and "type" in other and one["type"] != other["type"]:
        out["type"] = sorted(types(one, {}) & types(other, {}))
    if isinstance(one.get("enum"), list) and isinstance(other.get("enum"), list):
        out["enum"] = [value for value in one["enum"] if value in other["enum"]]
    if "required" in one or "required" in other:
        out["required"] = [*one.get("required", ()), *other.get("required", ())]
    return out


def as_root(schema: Any, root: Any) -> Shape:
    """A schema within a root as a root of its own."""
    return {**shape(schema, root), "$defs": root.get("$defs", {})}


def choices(schema: Shape) -> list[Any]:
    """The schemas of which a value fits one or some; none where it has no such choice."""
    return schema.get("anyOf") or schema.get("oneOf") or []


def is_choice(schema: Shape) -> bool:
    """Whether a schema says nothing but which forms there are."""
    said = {key for key in schema.keys() - WORDS if not key.startswith("x-")}
    return said - {"type", "default"} in ({"anyOf"}, {"oneOf"})


def types(schema: Shape, root: Any, depth: int = 0) -> frozenset[str]:
    """The types that a value may have."""
    named = schema.get("type")
    if named is None:
        found = _inferred(schema, root, depth)
    else:
        found = frozenset([named] if isinstance(named, str) else named)
    return found | {"integer"} if "number" in found else found


def _inferred(schema: Shape, root: Any, depth: int) -> frozenset[str]:
    listed = values(schema)
    if listed:
        kinds = {str: "string", bool: "boolean", int: "integer", float: "number"}
        kinds |= {list: "array", dict: "object"}
        return frozenset(kinds.get(type(json.loads(value)), "null") for value in listed)
    if (choice := choices(schema)) and depth < _DEPTH:
        each = (types(shape(form, root), root, depth + 1) for form in choice)
        return frozenset().union(*each)
    if "properties" in schema and not choice:
        return frozenset({"object"})
    return ALL


def values(schema: Shape) -> frozenset[str] | None:
    """The values that are listed, as JSON; None where any may be."""
    if "const" in schema:
        return frozenset({json.dumps(schema["const"], sort_keys=True)})
    listed = schema.get("enum")
    if not isinstance(listed, list):
        return None
    return frozenset(json.dumps(value, sort_keys=True) for value in listed)


def is_bare(schema: Shape) -> bool:
    """Whether an object or array is named and not described, as where an outline ends."""
    said = schema.keys() - WORDS - {"type"}
    return not said and "type" in schema and bool(types(schema, {}) & {"object", "array"})


def listed(found: frozenset[str]) -> str:
    """Types in words."""
    if found >= ALL:
        return "anything"
    return " or ".join(sorted(found - ({"integer"} if "number" in found else set()))) or "nothing"
