"""Comparing the limits of numbers, lengths and patterns in two versions of a schema."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, inf
from typing import Any

from .joins import Shape, literal

Types = tuple[frozenset[str], frozenset[str]]
"""Those of the old version, and of the new one."""

_BOUNDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
_COUNTS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems", "minContains", "maxContains"),
    "object": ("minProperties", "maxProperties"),
}
_FORMS = {
    "string": ("pattern", "format"),
    "integer": ("multipleOf",),
    "array": ("uniqueItems",),
}
KEYWORDS = frozenset(
    key for group in (*_BOUNDS, *_COUNTS.values(), *_FORMS.values()) for key in group
)

CONTENT = frozenset({"contentEncoding", "contentMediaType"})
"""What texts hold: as with `format`, no text is refused for it."""


def limits(old: Shape, new: Shape, kinds: Types) -> Iterator[tuple[str, str]]:
    """Each changed limit, as code and details; only for types that both versions allow."""
    shared = kinds[0] & kinds[1]
    for keys in _BOUNDS if "integer" in shared else ():
        before, after = (
            _bound(each, keys, types) for each, types in zip((old, new), kinds, strict=True)
        )
        yield from _moved(before, after, keys, old, new)
    for kind, counts in _COUNTS.items():
        for key in counts if kind in shared else ():
            yield from _moved((_count(old, key), 0), (_count(new, key), 0), (key,), old, new)
    for kind, forms in _FORMS.items():
        for key in forms if kind in shared else ():
            yield from _form(old.get(key) or None, new.get(key) or None, key)


def _moved(
    before: tuple[float, int],
    after: tuple[float, int],
    keys: tuple[str, ...],
    old: Shape,
    new: Shape,
) -> Iterator[tuple[str, str]]:
    if before == after:
        return
    tighter = after > before if keys[0].startswith("min") else after < before
    details = [
        _describe(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)
    ]
    yield ("input-narrowed" if tighter else "input-widened"), ", ".join(details)


def _describe(key: str, *versions: Any) -> str:
    """A keyword's old and new value for a message, strings without quotes."""
    words = ("none" if each is None else each for each in versions)
    texts = (each if isinstance(each, str) else literal(each) for each in words)
    return f"{key} {' -> '.join(texts)}"


def _bound(schema: Shape, keys: tuple[str, ...], kinds: frozenset[str]) -> tuple[float, int]:
    """A lower or upper limit, and 0 if it is inclusive, else 1 (lower) or -1 (upper)."""
    lower = keys[0] == "minimum"
    side = 1 if lower else -1
    bounds = [(schema[key], n * side) for n, key in enumerate(keys) if key in schema]
    if not bounds:
        return -side * inf, 0
    value, beside = max(bounds) if lower else min(bounds)
    if "number" in kinds:
        return value, beside
    whole = ceil(value) if lower else floor(value)
    return whole + (beside if whole == value else 0), 0


def _count(schema: Shape, key: str) -> float:
    if key.endswith("Contains") and "contains" not in schema:
        return 0 if key.startswith("min") else inf
    missing = {"minContains": 1}.get(key, 0) if key.startswith("min") else inf
    count: float = schema.get(key, missing)
    return count


def _form(before: Any, after: Any, key: str) -> Iterator[tuple[str, str]]:
    if before == after:
        return
    code = "format-changed" if key == "format" else "input-narrowed"
    if key != "format" and (after is None or (key == "multipleOf" and _divides(after, before))):
        code = "input-widened"
    yield code, _describe(key, before, after)


def _divides(step: Any, of: Any) -> bool:
    """Whether a number is a multiple of another in decimals, as 0.3 is a multiple of 0.1."""
    return of is not None and Fraction(str(of)) % Fraction(str(step)) == 0
