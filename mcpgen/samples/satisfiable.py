"""Whether a schema has no valid value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any

from ..api import Schema
from ..schemas.definitions import Definitions, definitions
from ..schemas.rules import Rules, conjunction
from ..schemas.subschemas import only_reference
from ..schemas.types import without_integers
from .checks import Checker

_MAX_DEPTH = 12
_RANGES = (
    ("number", "minimum", "maximum"),
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
)


def nothing_fits(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether a schema is sure to refuse every value, such as `minimum: 2` with `maximum: 1`."""
    return _Judge(definitions(pool)).refuses_all(schema, 0)


class _Judge:
    def __init__(self, pool: Definitions) -> None:
        self._pool = pool
        self._checker = Checker(pool)
        self._verdicts: dict[str, bool] = pool.memo.setdefault("nothing fits", {})

    def refuses_all(self, schema: Schema, depth: int) -> bool:
        if isinstance(schema, bool):
            return not schema
        key = only_reference(schema)
        if key is None:
            return depth < _MAX_DEPTH and self._refuses_all(schema, depth)
        if key not in self._verdicts:
            self._verdicts[key] = False  # a schema inside itself says nothing of itself
            self._verdicts[key] = depth < _MAX_DEPTH and self._refuses_all(schema, depth)
        return self._verdicts[key]

    def _refuses_all(self, schema: Mapping[str, Any], depth: int) -> bool:
        rules = Rules.of(schema, self._pool)
        types = without_integers(rules.types)
        if not types or _is_empty(rules, types):
            return True
        if any(self._refuses_each(values, schema) for values in _choices(rules)):
            return True
        if types == {"object"} and self._misses(rules, depth):
            return True
        if types == {"array"} and self._lacks_items(rules, depth):
            return True
        return any(
            all(self.refuses_all(form, depth + 1) for form in forms)
            for forms, _ in rules.alternatives
        )

    def _refuses_each(self, values: list[Any], schema: Schema) -> bool:
        """Whether the other keywords refuse every value of an `enum` or `const`."""
        return all(self._checker.refused(value, schema) for value in values)

    def _lacks_items(self, rules: Rules, depth: int) -> bool:
        is_needed = any(least > 0 for least in rules.each("minItems"))
        return is_needed and any(self.refuses_all(each, depth + 1) for each in rules.item(0))

    def _misses(self, rules: Rules, depth: int) -> bool:
        """Whether an object requires a member that is forbidden or has no valid value."""
        return any(
            self.refuses_all(conjunction(rules.member(name)), depth + 1) for name in rules.required
        )


def _is_empty(rules: Rules, types: Set[str]) -> bool:
    """Whether the limits leave no value of these types."""
    if any(each in ({}, True) for each in rules.each("not")):
        return True
    kinds, limits = {kind.replace("integer", "number") for kind in types}, rules.limits
    return any(
        kinds == {kind} and limits.get(least, -math.inf) > limits.get(most, math.inf)
        for kind, least, most in _RANGES
    )


def _choices(rules: Rules) -> list[list[Any]]:
    return [*rules.each("enum"), *([value] for value in rules.each("const"))]
