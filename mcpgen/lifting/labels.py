"""The labels that distinguish the members of a union, for the names of their types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..text.words import split

_MAX_LABEL = 40


def labels(members: list[Any]) -> list[str]:
    """A label for each member of a union: its title or value, else its number."""
    texts = [next(_self_descriptions(member), "") for member in members]
    return [
        label if label and texts.count(label) == 1 else f"Option{index + 1}"
        for index, label in enumerate(texts)
    ]


def _self_descriptions(member: Any) -> Iterator[str]:
    """Labels for a schema: its title, constants of its properties, its only required property."""
    if not isinstance(member, Mapping):
        return
    candidates: list[Any] = [member.get("title")]
    properties = member.get("properties")
    for schema in properties.values() if isinstance(properties, Mapping) else ():
        if isinstance(schema, Mapping):
            candidates += [schema.get("const"), *_only(schema.get("enum"))]
    candidates += _only(member.get("required"))
    for text in candidates:
        if isinstance(text, str) and len(text) <= _MAX_LABEL and split(text):
            yield text.lower() if text.isupper() else text


def _only(values: Any) -> list[Any]:
    """The value of a list with one value; empty for any other list."""
    return values if isinstance(values, list) and len(values) == 1 else []
