"""The probable target of a reference that leads nowhere or out of its document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ..text import pointer as pointers
from ..text.nearest import nearest

QUOTED = "In YAML, `#` after a blank begins a comment: write the reference in quotes."
"""The hint for a reference that is null."""
_MAX_KEYS = 2000
_HOLDERS = ("definitions", "parameters", "responses", "$defs")
"""Further members that contain named parts, besides those of `components`."""


def near(value: Any, tokens: Sequence[str]) -> tuple[str, ...]:
    """The existing path below `value` that is most similar to the tokens; empty if none is."""
    path: list[str] = []
    for token in tokens:
        keys = islice(value, _MAX_KEYS) if isinstance(value, Mapping) else ()
        is_there = isinstance(value, Mapping) and token in value
        key = token if is_there else nearest(token, keys)
        if not key:
            return ()
        path.append(key)
        value = value[key]
    return tuple(path)


def component(root: Any, reference: str) -> str:
    """The corrected reference within a file (`#/components/schemas/Pet` for `Pet`); else empty."""
    tokens = reference.rpartition("#")[2].strip("/").split("/")
    for place in _places(root, tokens):
        value = root
        for token in place:
            value = value.get(token) if isinstance(value, Mapping) else None
        if value is not None:
            return f"#{pointers.join('', *place)}"
    return ""


def hint(reference: str) -> str:
    """The hint that names the probable target; empty if there is none."""
    return f"Did you mean '{reference}'?" if reference else ""


def _places(root: Any, tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Paths where the target of a reference may be.

    First `tokens` as they are; then the last token in each section of `components`, and in each of
    `_HOLDERS`.
    """
    if len(tokens) > 1:
        yield tuple(tokens)
    components = root.get("components") if isinstance(root, Mapping) else None
    sections: Iterable[str] = components if isinstance(components, Mapping) else ()
    yield from (("components", section, tokens[-1]) for section in sections)
    yield from ((holder, tokens[-1]) for holder in _HOLDERS)
