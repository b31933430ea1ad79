"""Limits the number and depth of schemas for one value, since validators recurse into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..api import Schema
from ..schemas.definitions import Definitions
from ..schemas.subschemas import HOLDERS, references, referred_key, walk

LONGEST = 64
"""The most nested schemas that every validator can follow; people's documents stay below ten."""
MOST = 10_000
"""The most schemas that apply to one value, counted once for each path to them."""

_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = ("not", "if", "then", "else")
_IN_PLACE = frozenset(("$ref", "dependentSchemas", *_LISTS, *_SINGLE))
_LOOKED_INTO = HOLDERS | _IN_PLACE


class _Extent(NamedTuple):
    """The depth and the number of the schemas that apply to one value."""

    length: int
    ways: int


def problem_of(schemas: Iterable[Schema], pool: Definitions) -> str:
    """Why validators cannot process the schemas and their definitions; empty if they can."""
    bad: dict[str, str] = pool.memo.setdefault("chain problems", {})
    for schema in schemas:
        keys = references(schema)
        _check(keys, pool, bad)
        problems = [_problem(schema, pool)]
        if bad:
            problems += [bad[key] for key in sorted(pool.closure(keys) & bad.keys())]
        for problem in filter(None, problems):
            return problem
    return ""


def _check(start: Iterable[str], pool: Definitions, bad: dict[str, str]) -> None:
    """Add the definitions that validators cannot process to `bad`; each is checked once."""
    checked: set[str] = pool.memo.setdefault("chain checked", set())
    stack = list(start)
    while stack:
        key = stack.pop()
        if key in checked or key not in pool:
            continue
        checked.add(key)
        problem = _problem(pool[key], pool)
        if problem:
            bad[key] = problem
        stack += pool.references(key) - checked


def _problem(schema: Schema, pool: Definitions) -> str:
    extents: dict[str, _Extent] = pool.memo.setdefault("chain", {})
    if not isinstance(schema, bool) and _LOOKED_INTO.isdisjoint(schema):
        return ""
    for part in walk(schema):
        if _IN_PLACE.isdisjoint(part):
            continue
        steps = list(_steps(part))
        for _, key in steps:
            if key is not None:
                _measure(key, pool, extents)
        extent = _extent(steps, extents)
        if extent.length > LONGEST:
            return f"a chain of more than {LONGEST} schemas applies to one value"
        if extent.ways > MOST:
            return f"more than {MOST:,} schemas apply to one value"
    return ""


def _measure(start: str, pool: Definitions, extents: dict[str, _Extent]) -> None:
    """Measure a definition and all definitions that apply to the same value, without recursion."""
    stack = [start]
    waiting: set[str] = set()
    while stack:
        key = stack[-1]
        if key in extents or key not in pool:
            stack.pop()
            continue
        steps = [(depth, other) for depth, other in _steps(pool[key]) if other != key]
        missing = [o for _, o in steps if o is not None and o not in extents]
        if key not in waiting and missing:
            waiting.add(key)
            stack.extend(missing)
        else:
            extents[stack.pop()] = _extent(steps, extents)


def _extent(steps: Iterable[tuple[int, str | None]], extents: dict[str, _Extent]) -> _Extent:
    length = count = 0
    for depth, key in steps:
        inner = _Extent(0, 1) if key is None else extents.get(key, _Extent(0, 0))
        length = max(length, depth + inner.length)
        count = min(count + inner.ways, MOST + 1)
    return _Extent(length, count)


def _steps(schema: Schema) -> Iterator[tuple[int, str | None]]:
    """For every schema that applies to the same value: its depth, and any key that it refers to."""
    stack: list[tuple[int, Any]] = [(0, schema)]
    while stack:
        depth, part = stack.pop()
        yield depth, None
        if not isinstance(part, dict):
            continue
        if (key := referred_key(part)) is not None:
            yield depth + 1, key
        inner = [member for name in _LISTS for member in part.get(name, ())]
        inner += [part[name] for name in _SINGLE if name in part]
        inner += part.get("dependentSchemas", {}).values()
        stack += [(depth + 1, member) for member in inner]
