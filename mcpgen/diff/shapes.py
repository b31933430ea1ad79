"""Schemas prepared for comparison: references resolved, `allOf` joined, types derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..schemas.rules import types_of
from ..schemas.types import ALL, with_integers
from .joins import WORDS, Shape, join
from .older_dialects import in_new_words
from .shared_definitions import NOWHERE, Root


def shape(schema: Any, root: Root) -> Shape:
    """A schema as one object: its keywords, joined with those of its `$ref` and its `allOf`."""
    cached = root.definitions.shapes
    if id(schema) not in cached:
        cached[id(schema)] = schema, join(list(_parts(schema, root)))
    return cached[id(schema)][1]


def _parts(schema: Any, root: Root) -> Iterator[Shape]:
    """Yield a schema and the schemas of its `$ref` and `allOf`, without `$ref` and `allOf`.

    Each reference is followed once.
    """
    waiting, references = [schema], set()
    while waiting:
        one = waiting.pop()
        if one is False or one == {"not": {}}:
            yield {"enum": []}
        if not isinstance(one, Mapping) or one == {"not": {}}:
            continue
        part = in_new_words(one)
        joined, reference = part.pop("allOf", ()), part.pop("$ref", None)
        if part:
            yield part
        waiting += reversed(joined)
        if isinstance(reference, str) and reference not in references:
            references.add(reference)
            waiting.append(root.target(reference))


def choices(schema: Shape) -> list[Any]:
    """The alternatives of a schema's `anyOf` or `oneOf`; empty if it has none."""
    return schema.get("anyOf") or schema.get("oneOf") or []


def is_choice(schema: Shape) -> bool:
    """Whether a schema consists of alternatives and nothing else."""
    keywords = {key for key in schema.keys() - WORDS if not key.startswith("x-")}
    return keywords - {"type", "default"} in ({"anyOf"}, {"oneOf"})


def offers_choice(one: Shape, other: Shape) -> bool:
    """Whether `one` is a choice of alternatives while `other` is a single schema."""
    return is_choice(one) and not choices(other) and bool(other.keys() - WORDS)


def types(schema: Shape, root: Root) -> frozenset[str]:
    """The types that a value may have."""
    said = {"type": schema["type"]} if "type" in schema else schema
    return frozenset(with_integers(types_of(said, root.definitions.schemas)))


def is_bare(schema: Shape) -> bool:
    """Whether an object or array has only a `type`, for example since its inside was cut off."""
    keywords = schema.keys() - WORDS - {"type"}
    return not keywords and "type" in schema and bool(types(schema, NOWHERE) & {"object", "array"})


def is_any_object(schema: Shape, root: Root) -> bool:
    """Whether a schema allows objects and declares no properties."""
    return "object" in types(schema, root) and not schema.get("properties")


def is_silent(schema: Shape) -> bool:
    """Whether a schema allows any value, for example because deeper levels were cut off."""
    return not schema.keys() - WORDS


def types_in_words(kinds: frozenset[str]) -> str:
    """The types in words."""
    if kinds >= ALL:
        return "anything"
    return " or ".join(sorted(kinds - ({"integer"} if "number" in kinds else set()))) or "nothing"
