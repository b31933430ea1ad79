"""Versions of JSON Schema keywords whose work is bounded; they replace jsonschema's own.

Patterns run in linear time, `uniqueItems` uses hashing, a subschema behind a reference is checked
only once per value, and a check stops after a limited number of steps. Keywords that are not
enforced (`format`, or a pattern that the engine cannot run) never cause a refusal, not even below
`oneOf` and `not`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing.exceptions import Unresolvable

from ..values.seams import KEYWORDS
from .patterns import is_enforced, matches

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Any]
"""Takes a validator, the keyword's value, the instance, and the schema."""


class PartKeyword(NamedTuple):
    """A keyword that a part adds."""

    check: Keyword
    problems: Callable[[ValidationError, Any], list[Any]] | None = None
    """What is wrong where a value does not fit; None: as with every other keyword."""


_MAX_FRAMES = 600
"""Frames of Python's stack at which a value counts as too deep."""
ERRORS_OF_A_BRANCH = 8
_NAMES_PER_STEP = 16
"""Names of a schema that are looked up in the time of a step."""


class Exhausted(Exception):
    """The error when a validation takes too many steps."""


class TooDeep(Exception):
    """The error when a value is nested deeper than the stack allows."""


@dataclass(slots=True)
class Check:
    """The state of the check of one value, such as the steps that are left and cached results."""

    steps: int
    root: Any
    """The schema that `#` stands for."""
    explaining: bool = False
    """Whether every problem is wanted, or only whether there is one."""
    certain: bool = False
    """Whether a value must fit for certain: what is not enforced then counts as broken."""
    overlapping: bool = False
    """Whether a value may fit several branches of a `oneOf` that it cannot fit alone."""
    decided: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Whether a value fits a reference, by the schema that holds it, the value, and `certain`."""
    choices: dict[int, tuple[Any, frozenset[Any]]] = field(default_factory=dict)
    """The values of each `enum`, hashed."""
    open: set[tuple[int, int]] = field(default_factory=set)
    """References that are being explained."""
    branching: int = 0

    def step(self, count: int = 1) -> None:
        """Count a step; raises Exhausted after too many steps, and TooDeep at too great a depth.

        RecursionError would be too late: inside `referencing` it panics in a Rust map, which no
        `except Exception` catches.
        """
        self.steps -= count
        if self.steps < 0:
            raise Exhausted
        try:
            sys._getframe(_MAX_FRAMES)
        except ValueError:
            return
        raise TooDeep

    def is_empty(self, errors: Iterable[ValidationError]) -> bool:
        """Whether there are no errors, without working out the explanations of errors."""
        before, self.explaining = self.explaining, False
        try:
            return next(iter(errors), None) is None
        except Unresolvable:
            # A reference that leads nowhere inside the schema says nothing; it is never fetched.
            return True
        finally:
            self.explaining = before


_CHECK: ContextVar[Check] = ContextVar("check")
current = _CHECK.get
"""Gives the check that is running."""


@contextmanager
def checking(check: Check) -> Iterator[None]:
    """Make `check` the current check inside the block."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def is_valid(validator: Any, instance: Any, schema: Any, *, certain: bool | None = None) -> bool:
    """Whether the value fits a subschema.

    If `certain` is true, keywords that are not enforced count as violated; None keeps the current
    setting.
    """
    check = current()
    check.step()
    before = check.certain
    check.certain = before if certain is None else certain
    try:
        return check.is_empty(validator.descend(instance, schema))
    finally:
        check.certain = before


def keep_to(validator: Any, value: Any, instance: Mapping[str, Any], keys: list[str]) -> Errors:
    """Check the members in `keys` against a schema; if it is `false`, one error names all of
    them.
    """
    if value is False and keys:
        yield ValidationError(json.dumps(keys))
    elif value is not False:
        for key in keys:
            yield from validator.descend(instance[key], value, path=key)


def _counted(keyword: Keyword, *, inside: bool = True) -> Keyword:
    """The keyword, wrapped so that its work is counted.

    The work is the size of the keyword's own value. With `inside`, the size of the checked value is
    added.
    """

    def run(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        own = len(value) // _NAMES_PER_STEP if isinstance(value, (list, dict)) else 0
        looks = inside and isinstance(instance, (list, dict))
        current().step(own + (len(instance) if looks else 1))
        return keyword(validator, value, instance, schema)

    return run


def _reference(keyword: Keyword) -> Keyword:
    """Wrap a keyword such as `$ref`, so that its schema is applied to each value only once."""

    def run(validator: Any, ref: Any, instance: Any, schema: Any) -> Errors:
        check = current()
        place = (id(schema), id(instance), check.certain)
        if place not in check.decided:
            check.step()
            # A loop that consumes nothing says nothing: true while it is being decided.
            check.decided[place] = True
            check.decided[place] = check.is_empty(keyword(validator, ref, instance, schema))
        if check.decided[place] or place[:2] in check.open:
            return
        if not check.explaining:
            yield ValidationError("reference")
            return
        check.open.add(place[:2])
        try:
            yield from keyword(validator, ref, instance, schema)
        finally:
            check.open.discard(place[:2])

    return run


def _of(kind: str) -> Callable[[Keyword], Keyword]:
    """A decorator that applies a keyword only to values of the type `kind`.

    It also counts the work: one step, or as many as an object or array has members.
    """

    def decorate(keyword: Keyword) -> Keyword:
        def run(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
            if validator.is_type(instance, kind):
                current().step(len(instance) if kind in ("object", "array") else 1)
                yield from keyword(validator, value, instance, schema)

        return run

    return decorate


@_of("string")
def _pattern(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if not matches(value, instance) or (current().certain and not is_enforced(value)):
        yield ValidationError("pattern")


def _format(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Ignore `format`, which is not enforced."""
    scalar = isinstance(instance, (str, int, float)) and not isinstance(instance, bool)
    if scalar and current().certain:
        yield ValidationError("format")


@_of("object")
def _pattern_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    for expression, subschema in value.items():
        if not is_enforced(expression):
            continue
        for key, member in instance.items():
            if matches(expression, key):
                yield from validator.descend(member, subschema, path=key, schema_path=expression)


@_of("object")
def _additional_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    names, expressions = schema.get("properties", ()), schema.get("patternProperties", ())
    extra = [
        key
        for key in instance
        if key not in names and not any(matches(expression, key) for expression in expressions)
    ]
    yield from keep_to(validator, value, instance, extra)


@_of("object")
def _property_names(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `propertyNames`; an error has the name as its message, and the reasons in its
    context.
    """
    for name in instance:
        errors = list(islice(validator.descend(name, value), ERRORS_OF_A_BRANCH))
        if errors:
            yield ValidationError(name, context=errors)


@_of("array")
def _unique_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `uniqueItems` in one pass."""
    identities: set[Any] = set()
    for item in instance if value else ():
        identity = _identity(item)
        if identity in identities:
            yield ValidationError("uniqueItems")
            return
        identities.add(identity)


def _enum(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `enum`; the allowed values are hashed once per check."""
    check = current()
    check.step()
    if id(value) not in check.choices:
        check.choices[id(value)] = value, frozenset(map(_identity, value))
    if _identity(instance) not in check.choices[id(value)][1]:
        yield ValidationError("enum")


def _const(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    current().step()
    if _identity(instance) != _identity(value):
        yield ValidationError("const")


def _identity(value: Any) -> Any:
    """A hashable key that is equal for equal JSON values: for 1 and 1.0, but not for 1 and true."""
    if isinstance(value, (Mapping, list, tuple)):
        current().step(len(value))
    if isinstance(value, Mapping):
        return dict, frozenset((key, _identity(member)) for key, member in value.items())
    if isinstance(value, (list, tuple)):
        return list, tuple(map(_identity, value))
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return type(value), value
    # Numbers can be chosen so that all have the same hash, texts cannot.
    whole = isinstance(value, int) or value.is_integer()
    return float, hex(int(value)) if whole else repr(value)


@_of("number")
def _multiple_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `multipleOf` exactly: 19.99 is a multiple of 0.01."""
    try:
        fits = not value or Fraction(repr(instance)) % Fraction(repr(value)) == 0
    except (ValueError, OverflowError):
        fits = False
    if not fits:
        yield ValidationError("multipleOf")


def _not(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if is_valid(validator, instance, value, certain=not current().certain):
        yield ValidationError("not")


def _of_part(name: str) -> Keyword:
    """A keyword that the optional part `name` implements.

    If a server lacks the part, schemas that use the keyword are not checked.
    """

    def run(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
        yield from KEYWORDS[name].check(validator, value, instance, schema)

    return run


_BOUNDED: dict[str, Keyword] = {
    "pattern": _pattern,
    "format": _format,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
    "enum": _enum,
    "const": _const,
    "not": _not,
    **{name: _of_part(name) for name in KEYWORDS.parts},
}
_COUNTED = (
    *("allOf", "if", "items", "prefixItems", "additionalItems", "contains", "properties"),
    *("dependentSchemas", "dependencies"),
)
_OF_NAMES = ("required", "dependentRequired")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@lru_cache
def bounded(base: Any) -> Any:
    """A copy of a jsonschema validator class that uses the bounded keywords."""
    stock = base.VALIDATORS
    keywords = dict(_BOUNDED)
    keywords |= {name: _counted(stock[name]) for name in _COUNTED if name in stock}
    keywords |= {name: _counted(stock[name], inside=False) for name in _OF_NAMES if name in stock}
    keywords |= {name: _reference(stock[name]) for name in _REFERENCES if name in stock}
    # A keyword of a part that no dialect has holds in each; others hold in their dialects alone.
    alone = KEYWORDS.parts.keys() - Draft202012Validator.VALIDATORS.keys()
    make: Any = extend
    return make(base, {name: each for name, each in keywords.items() if name in {*stock, *alone}})
