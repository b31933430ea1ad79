"""Fast checks whether a value fits a schema, in bounded time and without fetching."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api import Schema
from ..schemas.rules import is_finite, matches, same
from ..schemas.subschemas import referred_key

_MAX_STEPS = 200_000


class _Unjudged(Exception):
    """The schema is broken, or judging it takes too long."""


class Checker:
    """Judges values against schemas whose references name schemas of one pool.

    Keywords of JSON Schema 2020-12, `format` not asserted, `oneOf` and `not` as servers judge them
    (`runtime/schemas/keywords.py`). `unevaluatedProperties` and `unevaluatedItems` count what the
    schema itself and those of its branches that the value fits declare.
    """

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self._pool = pool
        self._steps = 0
        self._certain = False
        self._overlapping = False
        self._patterns_hold = True
        self._verdicts: dict[tuple[int, int, bool], tuple[bool, Any, Schema]] = {}
        """What was judged for this verdict, and what of: it must stay, for its id is the key."""

    def valid(self, value: Any, schema: Schema) -> bool:
        """Whether `value` is an instance of `schema`; False if that cannot be judged."""
        return self._verdict(value, schema, overlapping=False) is True

    def taken(self, value: Any, schema: Schema) -> bool:
        """Whether servers are sure to take `value`: it may fit several branches of a `oneOf`."""
        return self._verdict(value, schema, overlapping=True) is True

    def surely_valid(self, value: Any, schema: Schema) -> bool:
        """The same where a client may enforce a pattern that servers do not: such a one fails."""
        self._patterns_hold = False
        try:
            return self.valid(value, schema)
        finally:
            self._patterns_hold = True

    def refused(self, value: Any, schema: Schema) -> bool:
        """Whether servers are sure to refuse `value`: one that fits several branches may pass."""
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
        if type(schema) is not dict and not isinstance(schema, Mapping):
            return schema is not False
        for keyword, argument in schema.items():
            rule = _RULES.get(keyword)
            if rule is not None and not rule(self, value, argument, schema):
                return False
        return True

    def _judged(self, value: Any, schema: Schema, certain: bool) -> bool:
        """Whether the value fits; `certain` treats keywords that are not enforced as violated.

        Asked again, it answers at once: choices inside choices would double with each level.
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
        """The properties or items of `value` that `schema` and its applicable branches describe."""
        if not isinstance(schema, Mapping) or not self._fits(value, schema):
            return set()
        covered = _own_names(schema, value) if kind is dict else _own_positions(self, schema, value)
        for branch in self._branches(value, schema):
            covered |= self._covered(value, branch, kind)
        return covered

    def _branches(self, value: Any, schema: Mapping[str, Any]) -> Iterator[Schema]:
        """The schemas that `schema` applies to the same value, including all alternatives."""
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
    """Whether a property is declared, or may be by a pattern that nobody enforces."""
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


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _number,
    "integer": lambda value: _number(value) and (isinstance(value, int) or value.is_integer()),
}


_USUAL = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer"}


def _type(_: Checker, value: Any, argument: Any, __: Mapping[str, Any]) -> bool:
    if _USUAL.get(type(value)) == argument:
        return True
    if isinstance(argument, str):
        return argument in _KINDS and _KINDS[argument](value)
    return any(_KINDS[kind](value) for kind in argument if kind in _KINDS)


def _multiple(value: Any, of: Any) -> bool:
    from fractions import Fraction  # slow to import, and few schemas need it

    return of <= 0 or not is_finite(value) or Fraction(str(value)) % Fraction(str(of)) == 0


def _limit(applies: Callable[[Any], bool], holds: Callable[[Any, Any], bool]) -> Rule:
    return lambda _, value, argument, __: not applies(value) or holds(value, argument)


def _array(holds: Callable[[Checker, list[Any], Any, Mapping[str, Any]], bool]) -> Rule:
    return lambda c, v, argument, schema: not isinstance(v, list) or holds(c, v, argument, schema)


def _object(holds: Callable[[Checker, dict[str, Any], Any, Mapping[str, Any]], bool]) -> Rule:
    return lambda c, v, argument, schema: not isinstance(v, dict) or holds(c, v, argument, schema)


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


def _format(check: Checker, value: Any, _: Any, __: Mapping[str, Any]) -> bool:
    return not (check._certain and (_is_text(value) or _number(value)))


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


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_RULES: Mapping[str, Rule] = {
    "type": _type,
    "$ref": lambda c, v, _, schema: c._fits(v, c._target(schema)),
    "enum": lambda _, v, argument, __: any(same(v, each) for each in argument),
    "const": lambda _, v, argument, __: same(v, argument),
    "minimum": _limit(_number, lambda value, bound: value >= bound),
    "maximum": _limit(_number, lambda value, bound: value <= bound),
    "exclusiveMinimum": _limit(_number, lambda value, bound: value > bound),
    "exclusiveMaximum": _limit(_number, lambda value, bound: value < bound),
    "multipleOf": _limit(_number, _multiple),
    "minLength": _limit(_is_text, lambda value, bound: len(value) >= bound),
    "maxLength": _limit(_is_text, lambda value, bound: len(value) <= bound),
    "pattern": lambda c, v, argument, s: not _is_text(v) or _pattern(c, v, argument, s),
    "format": _format,
    "minItems": _array(lambda c, v, bound, _: len(v) >= bound),
    "maxItems": _array(lambda c, v, bound, _: len(v) <= bound),
    "prefixItems": _array(lambda c, v, schemas, _: all(map(c._fits, v, schemas))),
    "items": _array(_items),
    "contains": _array(_contains),
    "uniqueItems": _array(_unique),
    "unevaluatedItems": _array(_unevaluated_items),
    "required": _object(lambda c, v, names, _: all(name in v for name in names)),
    "minProperties": _object(lambda c, v, bound, _: len(v) >= bound),
    "maxProperties": _object(lambda c, v, bound, _: len(v) <= bound),
    "properties": _object(_properties),
    "patternProperties": _object(_pattern_properties),
    "additionalProperties": _object(_additional),
    "unevaluatedProperties": _object(_unevaluated_names),
    "propertyNames": _object(lambda c, v, schema, _: all(c._fits(name, schema) for name in v)),
    "dependentRequired": _object(
        lambda c, v, rules, _: all(
            n in v for key, names in rules.items() if key in v for n in names
        )
    ),
    "dependentSchemas": _object(
        lambda c, v, rules, _: all(c._fits(v, s) for key, s in rules.items() if key in v)
    ),
    "allOf": lambda c, v, schemas, _: all(c._fits(v, each) for each in schemas),
    "anyOf": lambda c, v, schemas, _: any(c._fits(v, each) for each in schemas),
    "oneOf": _one,
    "not": _not,
    "if": _condition,
}
