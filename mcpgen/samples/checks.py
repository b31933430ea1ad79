"""Fast checks of whether a value fits a schema, in bounded time and without fetching."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api import Schema
from ..schemas.rules import is_finite, matches, same
from ..schemas.subschemas import referred_key
from ..schemas.types import declared_types, type_of, with_integers

_MAX_STEPS = 200_000


class _Unjudged(Exception):
    """Raised when a check has no verdict: the schema is broken, or the check takes too long."""


class Checker:
    """Judges values against schemas whose references lead into one pool.

    It knows the keywords of JSON Schema 2020-12. `format` is not asserted, and `oneOf` and `not`
    are judged as servers judge them (`runtime/schemas/keywords.py`). For `unevaluatedProperties`
    and `unevaluatedItems`, the declarations of the schema count, and those of its branches that the
    value fits.
    """

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self._pool = pool
        self._steps = 0
        self._certain = False
        self._overlapping = False
        self._patterns_hold = True
        self._verdicts: dict[tuple[int, int, bool], tuple[bool, Any, Schema]] = {}
        """Cached judgements; each keeps its value and schema alive, since their ids are the key."""

    def valid(self, value: Any, schema: Schema) -> bool:
        """Whether `value` is an instance of `schema`; False if the check is impossible."""
        return self._verdict(value, schema, overlapping=False) is True

    def taken(self, value: Any, schema: Schema) -> bool:
        """Whether servers surely accept `value`; they let several `oneOf` branches match."""
        return self._verdict(value, schema, overlapping=True) is True

    def surely_valid(self, value: Any, schema: Schema) -> bool:
        """Whether a value is valid even if a client enforces patterns that servers do not
        enforce.
        """
        self._patterns_hold = False
        try:
            return self.valid(value, schema)
        finally:
            self._patterns_hold = True

    def refused(self, value: Any, schema: Schema) -> bool:
        """Whether servers are sure to refuse `value`.

        A value that fits several branches of a `oneOf` is not refused for that reason.
        """
        return self._verdict(value, schema, overlapping=True) is False

    def _verdict(self, value: Any, schema: Schema, *, overlapping: bool) -> bool | None:
        self._steps, self._certain, self._overlapping = 0, False, overlapping
        self._verdicts.clear()
        try:
            return self._fits(value, schema)
        except (_Unjudged, RecursionError, TypeError, ValueError, AttributeError):
            return None

    def _fits(self, value: Any, schema: Schema) -> bool:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise _Unjudged
        if isinstance(schema, bool):
            return schema
        of_kind = _BY_KIND.get(type(value), _NO_RULES)
        for keyword, argument in schema.items():
            rule = _RULES.get(keyword) or of_kind.get(keyword)
            if rule is not None and not rule(self, value, argument, schema):
                return False
        return True

    def _judged(self, value: Any, schema: Schema, certain: bool) -> bool:
        """Whether the value fits the schema.

        If `certain` is set, unenforced keywords count as violated. Verdicts are cached, since
        nested choices would double the work with each level.
        """
        key = (id(value), id(schema), certain)
        if key not in self._verdicts:
            before, self._certain = self._certain, certain
            try:
                self._verdicts[key] = (self._fits(value, schema), value, schema)
            finally:
                self._certain = before
        return self._verdicts[key][0]

    def _target(self, schema: Mapping[str, Any]) -> Schema:
        key = referred_key(schema)
        if key is None or key not in self._pool:
            raise _Unjudged
        return self._pool[key]

    def _covered(self, value: Any, schema: Schema, kind: type) -> set[Any]:
        """The properties or items of `value` that `schema` and its matching branches describe."""
        if not isinstance(schema, Mapping) or not self._fits(value, schema):
            return set()
        covered = _own_names(schema, value) if kind is dict else _own_positions(self, schema, value)
        for branch in self._branches(value, schema):
            covered |= self._covered(value, branch, kind)
        return covered

    def _branches(self, value: Any, schema: Mapping[str, Any]) -> Iterator[Schema]:
        """The schemas that `schema` applies to the same value, including every alternative."""
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from schema.get(keyword, ())
        if "$ref" in schema:
            yield self._target(schema)
        for name, branch in schema.get("dependentSchemas", {}).items():
            if name in value:
                yield branch
        if "if" in schema:
            yield schema["if"]
            yield schema.get("then" if self._fits(value, schema["if"]) else "else", True)


def _without_unevaluated(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: rule for key, rule in schema.items() if not key.startswith("unevaluated")}


def _own_names(schema: Mapping[str, Any], value: dict[str, Any]) -> set[Any]:
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(value)
    return {name for name in value if _is_named(name, schema)}


def _is_named(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a property is declared, by name or perhaps by a pattern that is not enforced."""
    if name in schema.get("properties", {}):
        return True
    return any(matches(each, name) is not False for each in schema.get("patternProperties", ()))


def _own_positions(check: Checker, schema: Mapping[str, Any], value: list[Any]) -> set[Any]:
    if "items" in schema or "unevaluatedItems" in schema:
        return set(range(len(value)))
    item_schema = schema.get("contains", False)
    covered = {at for at, item in enumerate(value) if check._fits(item, item_schema)}
    return covered | set(range(len(schema.get("prefixItems", ()))))


Rule = Callable[[Checker, Any, Any, Mapping[str, Any]], bool]


def _type(_: Checker, value: Any, argument: Any, __: Mapping[str, Any]) -> bool:
    kind = type_of(value)
    return kind == argument or kind in with_integers(declared_types(argument))


def _multiple(value: Any, of: Any) -> bool:
    from fractions import Fraction  # slow to import, and few schemas need it

    return of <= 0 or not is_finite(value) or Fraction(str(value)) % Fraction(str(of)) == 0


def _items(check: Checker, value: list[Any], argument: Any, schema: Mapping[str, Any]) -> bool:
    rest = value[len(schema.get("prefixItems", ())) :]
    return all(check._fits(item, argument) for item in rest)


def _contains(check: Checker, value: list[Any], argument: Any, schema: Mapping[str, Any]) -> bool:
    count = sum(check._fits(item, argument) for item in value)
    return bool(schema.get("minContains", 1) <= count <= schema.get("maxContains", math.inf))


def _unique(_: Checker, value: list[Any], argument: Any, __: Mapping[str, Any]) -> bool:
    pairs = ((one, other) for at, one in enumerate(value) for other in value[:at])
    return not argument or not any(same(one, other) for one, other in pairs)


def _properties(check: Checker, value: dict[str, Any], argument: Any, _: Mapping[str, Any]) -> bool:
    for name, schema in argument.items():
        if name in value and not check._fits(value[name], schema):
            return False
    return True


def _pattern_properties(
    check: Checker, value: dict[str, Any], argument: Any, _: Mapping[str, Any]
) -> bool:
    return all(
        check._fits(member, schema)
        for pattern, schema in argument.items()
        for name, member in value.items()
        if matches(pattern, name)
    )


def _additional(
    check: Checker, value: dict[str, Any], argument: Any, schema: Mapping[str, Any]
) -> bool:
    if value.keys() <= schema.get("properties", {}).keys():
        return True
    return all(
        _is_named(name, schema) or check._fits(member, argument) for name, member in value.items()
    )


def _unevaluated_names(
    check: Checker, value: dict[str, Any], argument: Any, schema: Mapping[str, Any]
) -> bool:
    covered = check._covered(value, _without_unevaluated(schema), dict)
    return all(check._fits(value[name], argument) for name in value if name not in covered)


def _unevaluated_items(
    check: Checker, value: list[Any], argument: Any, schema: Mapping[str, Any]
) -> bool:
    covered = check._covered(value, _without_unevaluated(schema), list)
    return all(check._fits(each, argument) for at, each in enumerate(value) if at not in covered)


def _pattern(check: Checker, value: str, argument: Any, _: Mapping[str, Any]) -> bool:
    is_match = matches(argument, value)
    return check._patterns_hold and not check._certain if is_match is None else is_match


def _not(check: Checker, value: Any, argument: Any, _: Mapping[str, Any]) -> bool:
    return not check._judged(value, argument, not check._certain)


def _one(check: Checker, value: Any, argument: Any, _: Mapping[str, Any]) -> bool:
    possible = [branch for branch in argument if check._judged(value, branch, False)]
    if len(possible) <= 1 and not check._certain:
        return bool(possible)
    sure = sum(check._judged(value, branch, True) for branch in possible)
    if check._certain:
        return sure == len(possible) == 1
    return sure <= 1 or check._overlapping


def _condition(check: Checker, value: Any, argument: Any, schema: Mapping[str, Any]) -> bool:
    outcome = "then" if check._fits(value, argument) else "else"
    return check._fits(value, schema.get(outcome, True))


def _needed(_: Checker, value: dict[str, Any], argument: Any, __: Mapping[str, Any]) -> bool:
    """Whether a value has every property that `dependentRequired` demands."""
    return all(value.keys() >= set(others) for name, others in argument.items() if name in value)


_RULES: Mapping[str, Rule] = {
    "type": _type,
    "$ref": lambda c, v, _, schema: c._fits(v, c._target(schema)),
    "enum": lambda _, v, argument, __: any(same(v, each) for each in argument),
    "const": lambda _, v, argument, __: same(v, argument),
    "allOf": lambda c, v, schemas, _: all(c._fits(v, each) for each in schemas),
    "anyOf": lambda c, v, schemas, _: any(c._fits(v, each) for each in schemas),
    "oneOf": _one,
    "not": _not,
    "if": _condition,
}
_OF_NUMBERS: Mapping[str, Rule] = {
    "minimum": lambda _, value, bound, __: bool(value >= bound),
    "maximum": lambda _, value, bound, __: bool(value <= bound),
    "exclusiveMinimum": lambda _, value, bound, __: bool(value > bound),
    "exclusiveMaximum": lambda _, value, bound, __: bool(value < bound),
    "multipleOf": lambda _, value, of, __: _multiple(value, of),
    "format": lambda c, _, __, ___: not c._certain,
}
_NO_RULES: Mapping[str, Rule] = {}
_BY_KIND: Mapping[type, Mapping[str, Rule]] = {
    int: _OF_NUMBERS,
    float: _OF_NUMBERS,
    str: {
        "minLength": lambda _, v, bound, __: len(v) >= bound,
        "maxLength": lambda _, v, bound, __: len(v) <= bound,
        "pattern": _pattern,
        "format": _OF_NUMBERS["format"],
    },
    list: {
        "minItems": lambda _, v, bound, __: len(v) >= bound,
        "maxItems": lambda _, v, bound, __: len(v) <= bound,
        "prefixItems": lambda c, v, schemas, _: all(map(c._fits, v, schemas)),
        "items": _items,
        "contains": _contains,
        "uniqueItems": _unique,
        "unevaluatedItems": _unevaluated_items,
    },
    dict: {
        "required": lambda _, v, names, __: all(name in v for name in names),
        "minProperties": lambda _, v, bound, __: len(v) >= bound,
        "maxProperties": lambda _, v, bound, __: len(v) <= bound,
        "properties": _properties,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "propertyNames": lambda c, v, rule, _: all(c._fits(name, rule) for name in v),
        "unevaluatedProperties": _unevaluated_names,
        "dependentRequired": _needed,
        "dependentSchemas": lambda c, v, rules, _: all(
            c._fits(v, rule) for name, rule in rules.items() if name in v
        ),
    },
}
"""The rules of keywords that apply to one type of values only."""
