"""Schemas for one direction: without `readOnly` in requests, without `writeOnly` in answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

from ..api import Schema
from .definitions import Definitions, View, definitions
from .questions import properties
from .rules import IN_PLACE, Rules, parts
from .subschemas import HOLDERS, LISTS, MAPS, REFERENCE, SINGLE, only_reference, referred_key

Own = Callable[[Mapping[str, Any]], Iterable[str]]

_JOINED = frozenset({"$ref", "allOf", "properties", "anyOf", "oneOf"})
_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"})
"""Keywords whose schemas apply to the value itself and say what it must have."""
_VALUES = frozenset({"const", "default"})
_LISTS_OF_VALUES = frozenset({"enum", "examples"})
_CHANGING = HOLDERS | {"required", "dependentRequired"} | _VALUES | _LISTS_OF_VALUES

_MAX_COPIES = 3
"""The most nested references that are replaced by a copy without the hidden names."""

_MAX_NAMES = 2_000_000
"""The most names that are collected; beyond it, only a definition's own names count."""
_ELSEWHERE = frozenset({"$ref", "allOf"})
"""Keywords with which other schemas describe the same property."""


def for_input(schema: Schema, pool: Mapping[str, Schema]) -> tuple[Schema, Mapping[str, Schema]]:
    """The schema and its pool without properties that are `readOnly`."""
    return _directed(schema, pool, "readOnly")


def for_output(schema: Schema, pool: Mapping[str, Schema]) -> tuple[Schema, Mapping[str, Schema]]:
    """The schema and its pool without properties that are `writeOnly`."""
    return _directed(schema, pool, "writeOnly")


def value_for_input(value: Any, schema: Schema, pool: Mapping[str, Schema]) -> Any:
    """A copy of a value without the properties that the schema marks as `readOnly`."""
    return _Without(_undirected(pool, "readOnly"), "readOnly").value(value, schema)


def _directed(schema: Schema, pool: Mapping[str, Schema], flag: str) -> tuple[Schema, Definitions]:
    base = _undirected(pool, flag)
    without = _Without(base, flag)
    return without.strip(schema), base.view(flag, without.strip)


def _undirected(pool: Mapping[str, Schema], flag: str) -> Definitions:
    base = definitions(pool)
    return base.base if isinstance(base, View) and base.name == flag else base


class _Without:
    """Removes the properties with a certain flag: `readOnly` or `writeOnly`."""

    def __init__(self, pool: Definitions, flag: str) -> None:
        self._pool = pool
        self._flag = flag
        self._sends_required = flag == "readOnly" and pool.sends_required

    def strip(
        self, schema: Schema, hidden: frozenset[str] = frozenset(), inlined: int = 0
    ) -> Schema:
        """The schema without properties that have the flag (`readOnly` or `writeOnly`).

        `hidden` are names of properties that have the flag in another schema for the same object. A
        `not` or `if` that mentions a removed property is removed too, since its meaning would
        change.
        """
        if isinstance(schema, bool):
            return schema
        if _CHANGING.isdisjoint(schema) and not (hidden and "$ref" in schema):
            return schema
        if not _JOINED.isdisjoint(schema):
            hidden = hidden | self._hidden(schema)
        copy = self._copy(schema, hidden, inlined)
        if copy is not None:
            return self._beside(copy, schema, hidden, inlined)
        changed: dict[str, Any] = {}
        for keyword, value in schema.items():
            # A discriminator names its alternatives by their references: these are not copied.
            is_named = keyword in ("anyOf", "oneOf") and "discriminator" in schema
            if keyword in _VALUES:
                new = self.value(value, schema, hidden)
            elif keyword in _LISTS_OF_VALUES:
                new = self._values(value, schema, hidden)
            else:
                new = self._keyword(keyword, value, frozenset() if is_named else hidden, inlined)
            if new is not value and (keyword not in _VALUES or new != value):
                changed[keyword] = new
        if self._sends_required and "required" in schema:
            needed: list[str] = changed["required"] if "required" in changed else schema["required"]
            rest = [name for name in needed if not self._is_flagged(_property(schema, name))]
            if rest != needed:
                changed["required"] = rest
        if not changed:
            return schema
        gone = changed.keys() & {"not", "if"}
        if not changed.get("required", True):
            gone.add("required")
        return {name: item for name, item in {**schema, **changed}.items() if name not in gone}

    def value(self, value: Any, schema: Schema, more: frozenset[str] = frozenset()) -> Any:
        """A copy of a value without the members, at any depth, that the schema flags.

        `more` are names that a sibling schema flags.
        """
        if not isinstance(value, (dict, list)):
            return value
        rules = Rules(parts(schema, self._pool, IN_PLACE))
        if isinstance(value, list):
            items = {"anyOf": rules.each("items")}
            return [self.value(each, items) for each in value]
        by_name = rules.either()
        always = (name for name, it in by_name.items() if all(map(self._is_flagged, it["anyOf"])))
        hidden = self._hidden(schema).union(always, more)
        by_name |= properties(schema, self._pool)
        others = {"anyOf": rules.each("additionalProperties")}
        rest = {name: each for name, each in value.items() if name not in hidden}
        return {name: self.value(each, by_name.get(name, others)) for name, each in rest.items()}

    def _values(self, values: list[Any], schema: Schema, hidden: frozenset[str]) -> list[Any]:
        """Values without flagged members, since an agent may copy the values; duplicates are
        dropped.
        """
        rest = [self.value(each, schema, hidden) for each in values]
        return values if rest == values else list({json.dumps(v): v for v in rest}.values())

    def _keyword(self, keyword: str, value: Any, hidden: frozenset[str], inlined: int) -> Any:
        hidden_inside = hidden if keyword in _IN_PLACE else frozenset[str]()
        if keyword in SINGLE:
            return self.strip(value, hidden_inside, inlined)
        if keyword in LISTS:
            items = [self.strip(item, hidden_inside, inlined) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
        if keyword in MAPS:
            gone = hidden if keyword != "patternProperties" else frozenset()
            rest = {
                name: self.strip(item, hidden_inside, inlined)
                for name, item in value.items()
                if name not in gone
            }
            same = len(rest) == len(value) and all(rest[name] is value[name] for name in rest)
            return value if same else rest
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

    def _copy(
        self, schema: Mapping[str, Any], hidden: frozenset[str], inlined: int
    ) -> Schema | None:
        """A copy of the target without the names in `hidden`; None to keep the reference."""
        key = referred_key(schema)
        if key is None or key not in self._pool or inlined >= _MAX_COPIES:
            return None
        extra = hidden - self._hidden({"$ref": REFERENCE + key})
        if not extra & self._mentioned(key):
            return None
        return self.strip(self._pool[key], hidden, inlined + 1)

    def _beside(
        self, copy: Schema, schema: Mapping[str, Any], hidden: frozenset[str], inlined: int
    ) -> Schema:
        """The stripped schema, in which `copy` replaces the reference that it is a copy of."""
        others = {name: value for name, value in schema.items() if name != "$ref"}
        if not others:
            return copy
        stripped = self.strip(others, hidden, inlined)
        assert not isinstance(stripped, bool)
        return {**stripped, "allOf": [copy, *stripped.get("allOf", ())]}

    def _mentioned(self, key: str) -> frozenset[str]:
        """The names that a definition declares or requires, including by `$ref` and `allOf`."""
        return self._folded({"$ref": REFERENCE + key}, "mentioned", _mentioned_in)

    def _hidden(self, schema: Schema) -> frozenset[str]:
        """The properties that this schema, or one for the same object, flags (`readOnly`)."""
        names = self._folded(schema, f"hidden {self._flag}", self._hidden_in)
        if isinstance(schema, bool):
            return names
        for branches in (schema.get("anyOf"), schema.get("oneOf")):
            if branches:
                names |= frozenset.intersection(*map(self._hidden, branches))
        return names

    def _hidden_in(self, part: Mapping[str, Any]) -> Iterable[str]:
        needed = part.get("required", ()) if self._sends_required else ()
        names = (name for name, it in part.get("properties", {}).items() if self._is_flagged(it))
        return (name for name in names if name not in needed)

    def _is_flagged(self, schema: Schema) -> bool:
        flag = self._flag
        if not isinstance(schema, bool) and _ELSEWHERE.isdisjoint(schema):
            return schema.get(flag) is True
        return bool(
            self._folded(schema, flag, lambda part: [flag] if part.get(flag) is True else ())
        )

    def _folded(self, schema: Schema, name: str, own: Own) -> frozenset[str]:
        """The union of `own` for a schema and for all schemas that it applies by `$ref` or `allOf`.

        The result for each definition is cached under `name`.
        """
        key = only_reference(schema)
        memo: dict[str, frozenset[str]] = self._pool.memo.setdefault(name, {})
        if key in memo:
            return memo[key]
        parts = Rules.of(schema, self._pool).parts
        names = frozenset(chain.from_iterable(own(part.schema) for part in parts))
        if key is not None:
            spent = self._pool.memo["names"] = self._pool.memo.get("names", 0) + len(names)
            memo[key] = names if spent <= _MAX_NAMES else frozenset()
        return names


def _property(schema: Mapping[str, Any], name: str) -> Schema:
    value: Schema = schema.get("properties", {}).get(name, True)
    return value


def _mentioned_in(part: Mapping[str, Any]) -> Iterable[str]:
    return (*part.get("properties", ()), *part.get("required", ()))
