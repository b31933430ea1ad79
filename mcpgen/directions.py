"""Schemas for one direction: without `readOnly` on the way in, without `writeOnly` on the way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .api import Schema
from .definitions import Definitions, View, definitions
from .subschemas import LISTS, MAPS, SINGLE, referred_key

_INLINED = 3
"""How many references below each other are replaced by a copy that lacks what a sibling hides."""


def for_input(schema: Schema, pool: Mapping[str, Schema]) -> tuple[Schema, Mapping[str, Schema]]:
    """The schema and its pool without properties that are `readOnly`."""
    return _directed(schema, pool, "readOnly")


def for_output(schema: Schema, pool: Mapping[str, Schema]) -> tuple[Schema, Mapping[str, Schema]]:
    """The schema and its pool without properties that are `writeOnly`."""
    return _directed(schema, pool, "writeOnly")


def _directed(schema: Schema, pool: Mapping[str, Schema], flag: str) -> tuple[Schema, Definitions]:
    base = definitions(pool)
    if isinstance(base, View) and base.name == flag:
        base = base.base
    without = _Without(base, flag)
    return without.strip(schema), base.view(flag, without.strip)


class _Without:
    """Removes the properties that carry a flag."""

    def __init__(self, pool: Definitions, flag: str) -> None:
        self._pool = pool
        self._flag = flag
        self._hidden_of: dict[str, frozenset[str]] = pool.memo.setdefault(("hidden", flag), {})

    def strip(
        self, schema: Schema, hidden: frozenset[str] = frozenset(), inlined: int = 0
    ) -> Schema:
        """The schema without flagged properties; `hidden` are names that a sibling has flagged."""
        if isinstance(schema, bool):
            return schema
        hidden = hidden | self._hidden(schema)
        changed: dict[str, Any] = {}
        for keyword, value in schema.items():
            new = self._keyword(keyword, value, hidden, inlined)
            if new is not value:
                changed[keyword] = new
        return {**schema, **changed} if changed else schema

    def _keyword(self, keyword: str, value: Any, hidden: frozenset[str], inlined: int) -> Any:
        if keyword in SINGLE:
            return self.strip(value)
        if keyword in LISTS:
            if keyword == "allOf":
                items = [self._member(item, hidden, inlined) for item in value]
            else:
                items = [self.strip(item) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
        if keyword in MAPS:
            gone = hidden if keyword != "patternProperties" else frozenset()
            kept = {name: self.strip(item) for name, item in value.items() if name not in gone}
            same = len(kept) == len(value) and all(kept[name] is value[name] for name in kept)
            return value if same else kept
        if hidden and keyword == "required":
            names = [name for name in value if name not in hidden]
            return value if len(names) == len(value) else names
        if hidden and keyword == "dependentRequired":
            return {
                name: [other for other in others if other not in hidden]
                for name, others in value.items()
                if name not in hidden
            }
        return value

    def _member(self, schema: Schema, hidden: frozenset[str], inlined: int) -> Schema:
        """A member of `allOf`; what its siblings hide is hidden in it, even behind a reference."""
        key = referred_key(schema)
        if key is None or key not in self._pool:
            return self.strip(schema, hidden, inlined)
        assert not isinstance(schema, bool)
        extra = hidden - self._hidden_by_key(key)
        if inlined >= _INLINED or not extra & self._mentioned(key):
            return self.strip(schema, hidden, inlined)
        copy = self.strip(self._pool[key], hidden, inlined + 1)
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        if not beside:
            return copy
        stripped = self.strip(beside, hidden, inlined)
        assert not isinstance(stripped, bool)
        return {**stripped, "allOf": [copy, *stripped.get("allOf", ())]}

    def _mentioned(self, key: str) -> frozenset[str]:
        """The names that a definition declares or requires, also through `$ref` and `allOf`."""
        memo: dict[str, frozenset[str]] = self._pool.memo.setdefault("mentioned", {})
        if key not in memo:
            names: set[str] = set()
            for part in self._same_instance(self._pool[key]):
                names.update(part.get("properties", ()), part.get("required", ()))
            memo[key] = frozenset(names)
        return memo[key]

    def _hidden_by_key(self, key: str) -> frozenset[str]:
        if key not in self._hidden_of:
            self._hidden_of[key] = self._hidden(self._pool[key])
        return self._hidden_of[key]

    def _hidden(self, schema: Mapping[str, Any] | bool) -> frozenset[str]:
        """The names whose schemas carry the flag, here or in what applies to the same object."""
        names: set[str] = set()
        for part in self._same_instance(schema):
            for name, value in part.get("properties", {}).items():
                if name not in names and self._is_flagged(value):
                    names.add(name)
        return frozenset(names)

    def _is_flagged(self, schema: Schema) -> bool:
        return any(part.get(self._flag) is True for part in self._same_instance(schema))

    def _same_instance(self, schema: Schema) -> list[Mapping[str, Any]]:
        """The schema and those that `$ref` and `allOf` join to it."""
        found: list[Mapping[str, Any]] = []
        seen: set[str] = set()
        stack: list[Schema] = [schema]
        while stack:
            current = stack.pop()
            if isinstance(current, bool):
                continue
            found.append(current)
            stack.extend(current.get("allOf", ()))
            key = referred_key(current)
            if key is not None and key not in seen and key in self._pool:
                seen.add(key)
                stack.append(self._pool[key])
        return found
