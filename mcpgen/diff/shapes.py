"""Schemas as they are compared: references followed, what `allOf` joins joined, their types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
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
    """The keywords of a schema, of what it refers to and of what `allOf` joins, as one object."""
    out: Shape = {}
    for part in _parts(schema, root):
        out = _joined(out, part) if out else part
    return out


def _parts(schema: Any, root: Any) -> Iterator[Shape]:
    """A schema's own keywords, then those of all that it joins, each definition once."""
    waiting, seen = [schema], set()
    while waiting:
        one = waiting.pop()
        if one is False or one == {"not": {}}:
            yield {"enum": []}
        if not isinstance(one, Mapping) or one == {"not": {}}:
            continue
        yield {key: value for key, value in one.items() if key not in ("$ref", "allOf")}
        waiting += reversed(one.get("allOf", ()))
        reference = one.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            waiting.append(_target(reference, root))


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
        shared = {
            key: both(mine[key], others[key])
            for key in mine.keys() & others.keys()
            if mine[key] != others[key]
        }
        out["properties"] = {**others, **mine, **shared}
    if "type" in one and "type" in other and one["type"] != other["type"]:
        out["type"] = sorted(types(one, {}) & types(other, {}))
    if isinstance(one.get("enum"), list) and isinstance(other.get("enum"), list):
        out["enum"] = [value for value in one["enum"] if value in other["enum"]]
    if "required" in one or "required" in other:
        out["required"] = [*one.get("required", ()), *other.get("required", ())]
    return out


def both(one: Any, other: Any) -> Any:
    """The schema of what fits two; a part that is in both is in it once, so that it has an end."""
    parts = {text(part): part for each in (one, other) for part in _apart(each)}
    return {"allOf": list(parts.values())} if len(parts) > 1 else next(iter(parts.values()))


def _apart(schema: Any) -> list[Any]:
    if isinstance(schema, Mapping) and schema.keys() == {"allOf"}:
        return list(schema["allOf"])
    return [schema]


def text(schema: Any) -> str:
    """A schema as a key: the same for the same parts in another order."""
    return " ".join(sorted(json.dumps(part, sort_keys=True) for part in _apart(schema)))


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
