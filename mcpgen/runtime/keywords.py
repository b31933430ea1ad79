"""JSON Schema keywords that jsonschema runs without a bound, replaced by ones that have it.

Patterns run in linear time, `uniqueItems` by hashing, a subschema behind a reference is decided
once per value, and the whole check ends after a number of steps. References never fetch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from .patterns import is_enforced, matches

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Any]

_COUNTED = (
    "allOf", "not", "if", "items", "prefixItems", "additionalItems", "contains", "properties",
    "propertyNames", "dependentSchemas", "dependencies", "unevaluatedItems",
    "unevaluatedProperties", "extends",
)  # fmt: skip
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_SCHEMA_DATA = ("const", "enum", "default", "example", "examples")
_NAMED = (
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
)
_ERRORS_OF_A_BRANCH = 8
_BRANCHES_DEEP = 3
_FRAMES = 600

TOO_MANY = "more than one branch"
"""The message of a `oneOf` that more than one branch fits."""


class Exhausted(Exception):
    """The check took more steps than it may."""


class TooDeep(Exception):
    """The value is nested deeper than the stack goes."""


@dataclass(slots=True)
class Check:
    """What is known while one value is checked."""

    steps: int
    explaining: bool = False
    """Whether every problem is wanted, or only whether there is one."""
    known: dict[tuple[int, int], bool] = field(default_factory=dict)
    """What references came to, by the schema that holds the reference and the value."""
    open: set[tuple[int, int]] = field(default_factory=set)
    """References that are being explained."""
    branching: int = 0

    def step(self, count: int = 1) -> None:
        """Count work, and end the check when it was too much or goes too deep.

        A RecursionError is no way to find out: inside `referencing` it ends in a panic of its Rust
        map, which no `except Exception` catches.
        """
        self.steps -= count
        if self.steps < 0:
            raise Exhausted
        try:
            sys._getframe(_FRAMES)
        except ValueError:
            return
        raise TooDeep

    def is_valid(self, errors: Callable[[], Iterable[ValidationError]]) -> bool:
        """Whether there are no errors; none of them is explained."""
        before, self.explaining = self.explaining, False
        try:
            return next(iter(errors()), None) is None
        except Unresolvable:
            # A reference that leads nowhere inside the schema says nothing; it is never fetched.
            return True
        finally:
            self.explaining = before


_CHECK: ContextVar[Check] = ContextVar("check")


@contextmanager
def checking(check: Check) -> Iterator[None]:
    """Make `check` the one that the keywords below work for."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def build(schema: Any) -> Any:
    """A validator in the dialect that the schema names, 2020-12 where it names none it knows.

    Returns None for a schema that is too broken or too deep to make one.
    """
    try:
        base = validator_for(schema, default=Draft202012Validator)
        return _bounded(base)(enforceable(schema), registry=Registry())
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None


@lru_cache
def _bounded(base: Any) -> Any:
    own: dict[str, Keyword] = {
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "additionalProperties": additional_properties,
        "uniqueItems": unique_items,
        "multipleOf": multiple_of,
        "anyOf": any_of,
        "oneOf": one_of,
    }
    known = base.VALIDATORS
    changed = {name: keyword for name, keyword in own.items() if name in known}
    changed |= {name: _counted(known[name]) for name in _COUNTED if name in known}
    changed |= {name: _reference(known[name]) for name in _REFERENCES if name in known}
    make: Any = extend
    return make(base, changed)


def enforceable(schema: Any) -> Any:
    """The schema without what would bring jsonschema's own, unbounded keywords back.

    `$schema` inside a schema switches to its dialect's stock validator; and `unevaluatedProperties`
    runs the schema's `patternProperties` by backtracking, so beside them it is not enforced. The
    schema `false` of a property or branch becomes `{"not": {}}`: jsonschema's error for `false`
    does not say which one it is.
    """
    keywords: set[str] = set()
    _collect(schema, keywords)
    drop = {"$schema"}
    if "patternProperties" in keywords:
        drop.add("unevaluatedProperties")
    return _without(schema, drop)


def _collect(schema: Any, keywords: set[str]) -> None:
    stack = [schema]
    while stack:
        current = stack.pop()
        if isinstance(current, Mapping):
            keywords.update(current)
            stack.extend(value for key, value in current.items() if key not in _SCHEMA_DATA)
        elif isinstance(current, list):
            stack.extend(current)


def _without(schema: Any, drop: set[str], names: bool = False) -> Any:
    """Copy without the keywords; `names` marks a mapping whose keys are names, not keywords."""
    if names and isinstance(schema, Mapping):
        return {name: _without_false(member, drop) for name, member in schema.items()}
    if isinstance(schema, Mapping):
        return {
            key: value if key in _SCHEMA_DATA else _without(value, drop, key in _NAMED)
            for key, value in schema.items()
            if key not in drop
        }
    if isinstance(schema, list):
        return [_without_false(item, drop) for item in schema]
    return schema


def _without_false(schema: Any, drop: set[str]) -> Any:
    return {"not": {}} if schema is False else _without(schema, drop)


def _counted(keyword: Keyword) -> Keyword:
    def run(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        _CHECK.get().step(len(instance) if isinstance(instance, (list, dict)) else 1)
        return keyword(validator, value, instance, schema)

    return run


def _reference(keyword: Keyword) -> Keyword:
    def run(validator: Any, ref: Any, instance: Any, schema: Any) -> Errors:
        check = _CHECK.get()
        place = (id(schema), id(instance))
        if place not in check.known:
            check.step()
            # A loop that consumes nothing says nothing: true while it is being decided.
            check.known[place] = True
            check.known[place] = check.is_valid(lambda: keyword(validator, ref, instance, schema))
        if check.known[place] or place in check.open:
            return
        if not check.explaining:
            yield ValidationError("reference")
            return
        check.open.add(place)
        try:
            yield from keyword(validator, ref, instance, schema)
        finally:
            check.open.discard(place)

    return run


def _is_valid(validator: Any, instance: Any, schema: Any) -> bool:
    return _CHECK.get().is_valid(lambda: validator.descend(instance, schema))


def pattern(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`pattern`."""
    if validator.is_type(instance, "string") and not matches(value, instance):
        yield ValidationError("pattern")


def pattern_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`patternProperties`."""
    if not validator.is_type(instance, "object"):
        return
    _CHECK.get().step(len(instance))
    for expression, subschema in value.items():
        if not is_enforced(expression):
            continue
        for key, member in instance.items():
            if matches(expression, key):
                yield from validator.descend(member, subschema, path=key, schema_path=expression)


def extra_keys(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The keys that neither `properties` nor `patternProperties` of the schema names."""
    named = schema.get("properties", {})
    expressions = schema.get("patternProperties", {})
    return [
        key
        for key in instance
        if key not in named and not any(matches(expression, key) for expression in expressions)
    ]


def additional_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`additionalProperties`."""
    if not validator.is_type(instance, "object"):
        return
    _CHECK.get().step(len(instance))
    for key in extra_keys(instance, schema):
        if value is False:
            yield ValidationError("additionalProperties")
            return
        yield from validator.descend(instance[key], value, path=key)


def unique_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`uniqueItems`, in one pass."""
    if not value or not validator.is_type(instance, "array"):
        return
    seen: set[Any] = set()
    _CHECK.get().step(len(instance))
    for item in instance:
        identity = _identity(item)
        if identity in seen:
            yield ValidationError("uniqueItems")
            return
        seen.add(identity)


def _identity(value: Any) -> Any:
    """A hashable that is equal for equal JSON values: 1 and 1.0, but not 1 and true."""
    if isinstance(value, Mapping):
        return dict, frozenset((key, _identity(member)) for key, member in value.items())
    if isinstance(value, (list, tuple)):
        return list, tuple(map(_identity, value))
    return isinstance(value, bool), value


def multiple_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`multipleOf`, exactly: 19.99 is a multiple of 0.01."""
    if not validator.is_type(instance, "number") or not value:
        return
    try:
        fits = Fraction(repr(instance)) % Fraction(repr(value)) == 0
    except (ValueError, OverflowError):
        fits = False
    if not fits:
        yield ValidationError("multipleOf")


def any_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`anyOf`."""
    check = _CHECK.get()
    for subschema in value:
        check.step()
        if _is_valid(validator, instance, subschema):
            return
    yield _no_branch(validator, value, instance)


def one_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`oneOf`."""
    check = _CHECK.get()
    fitting = 0
    for subschema in value:
        check.step()
        fitting += _is_valid(validator, instance, subschema)
        if fitting > 1:
            yield ValidationError(TOO_MANY)
            return
    if not fitting:
        yield _no_branch(validator, value, instance)


def _no_branch(validator: Any, value: Any, instance: Any) -> ValidationError:
    """The error of a value that fits no branch; its context says what each branch objects to."""
    check = _CHECK.get()
    if not check.explaining or check.branching >= _BRANCHES_DEEP:
        return ValidationError("no branch")
    context: list[ValidationError] = []
    check.branching += 1
    try:
        for index, subschema in enumerate(value):
            check.step()
            found = validator.descend(instance, subschema, schema_path=index)
            context += islice(found, _ERRORS_OF_A_BRANCH)
    finally:
        check.branching -= 1
    return ValidationError("no branch", context=context)
