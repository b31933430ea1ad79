"""JSON Schema keywords that jsonschema runs without a bound, replaced by ones that have it.

Patterns run in linear time, `uniqueItems` by hashing, a subschema behind a reference is decided
once per value, and the whole check ends after a number of steps. What is not enforced (`format`, a
pattern of another kind of engine) refuses nothing, below `oneOf` and `not` either.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from types import NoneType
from typing import Any

from jsonschema.exceptions import ValidationError

from .checking import current, is_valid
from .patterns import is_enforced, matches

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Any]

_ERRORS_OF_A_BRANCH = 8
_BRANCHES_DEEP = 4
_NULL = {"type": "null"}
"""The alternative of an optional value, which is no choice."""
_PARTS = 50
_NAMES_A_STEP = 16
"""Names of a schema that are looked up in the time of a step."""

TOO_MANY = "more than one branch"
"""The message of a `oneOf` that more than one branch fits."""


def counted(keyword: Keyword, *, inside: bool = True) -> Keyword:
    """The keyword, counted as work by its own size and, if it looks inside, by the value's."""

    def run(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        own = len(value) // _NAMES_A_STEP if isinstance(value, (list, dict)) else 0
        looks = inside and isinstance(instance, (list, dict))
        current().step(own + (len(instance) if looks else 1))
        return keyword(validator, value, instance, schema)

    return run


def reference(keyword: Keyword) -> Keyword:
    """The referring keyword, decided once for each value that it is applied to."""

    def run(validator: Any, ref: Any, instance: Any, schema: Any) -> Errors:
        check = current()
        place = (id(schema), id(instance), check.certain)
        if place not in check.known:
            check.step()
            # A loop that consumes nothing says nothing: true while it is being decided.
            check.known[place] = True
            check.known[place] = check.is_valid(lambda: keyword(validator, ref, instance, schema))
        if check.known[place] or place[:2] in check.open:
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


def pattern(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`pattern`."""
    if not validator.is_type(instance, "string"):
        return
    if not matches(value, instance) or (current().certain and not is_enforced(value)):
        yield ValidationError("pattern")


def format_(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`format`, which is not enforced."""
    if current().certain and not isinstance(instance, (Mapping, list, bool, NoneType)):
        yield ValidationError("format")


def pattern_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`patternProperties`."""
    if not validator.is_type(instance, "object"):
        return
    current().step(len(instance))
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
    current().step(len(instance))
    yield from keep_to(validator, value, instance, extra_keys(instance, schema))


def keep_to(validator: Any, value: Any, instance: Mapping[str, Any], keys: list[str]) -> Errors:
    """Hold the members of those keys to a schema; the error of `false` names them as JSON."""
    if value is False and keys:
        yield ValidationError(json.dumps(keys))
    elif value is not False:
        for key in keys:
            yield from validator.descend(instance[key], value, path=key)


def property_names(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`propertyNames`; the error of a name has that as message, and in its context why."""
    if not validator.is_type(instance, "object"):
        return
    current().step(len(instance))
    for name in instance:
        found = list(islice(validator.descend(name, value), _ERRORS_OF_A_BRANCH))
        if found:
            yield ValidationError(name, context=found)


def unique_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`uniqueItems`, in one pass."""
    if not value or not validator.is_type(instance, "array"):
        return
    seen: set[Any] = set()
    current().step(len(instance))
    for item in instance:
        identity = _identity(item)
        if identity in seen:
            yield ValidationError("uniqueItems")
            return
        seen.add(identity)


def enum(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`enum`, whose values are hashed once in a check."""
    check = current()
    check.step()
    if id(value) not in check.choices:
        check.choices[id(value)] = value, frozenset(map(_identity, value))
    if _identity(instance) not in check.choices[id(value)][1]:
        yield ValidationError("enum")


def const(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`const`."""
    current().step()
    if _identity(instance) != _identity(value):
        yield ValidationError("const")


def _identity(value: Any) -> Any:
    """A hashable that is equal for equal JSON values: 1 and 1.0, but not 1 and true."""
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
    check = current()
    for subschema in value:
        check.step()
        if is_valid(validator, instance, subschema):
            return
    yield _no_branch(validator, value, instance)


def one_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`oneOf`: only a value that certainly fits several branches is refused for that.

    What is not enforced, such as a format, may tell them apart. Where the check lets branches
    overlap, it is refused only if each of these requires a property of its own: what is behind a
    tool takes an integer for `integer` beside `number`, and the value of two branches that only
    their descriptions tell apart.
    """
    possible = _fitting(validator, value, instance, certain=False)
    check = current()
    if not possible:
        yield _no_branch(validator, value, instance)
    elif check.certain or len(possible) > 1:
        sure = _fitting(validator, possible, instance, certain=True)
        if check.certain:
            fits = len(sure) == len(possible) == 1
        else:
            fits = len(sure) <= 1 or (check.overlapping and not _exclusive(sure))
        if not fits:
            yield ValidationError(TOO_MANY)


def _exclusive(branches: list[Any]) -> bool:
    """Whether each branch requires a property that none of the others does."""
    required = [_required(branch) for branch in branches]
    times = Counter(name for names in required for name in names)
    return all(any(times[name] == 1 for name in names) for names in required)


def _required(schema: Any) -> set[str]:
    """The properties that a schema requires, as far as references and `allOf` say so."""
    root = current().root
    defs = root.get("$defs", {}) if isinstance(root, Mapping) else {}
    parts, names = [schema], set[str]()
    for part in parts:
        if not isinstance(part, Mapping) or len(parts) > _PARTS:
            continue
        names.update(part.get("required", ()))
        parts += part.get("allOf", ())
        parts.append(defs.get(part.get("$ref", "").removeprefix("#/$defs/")))
    return names


def _fitting(validator: Any, branches: Any, instance: Any, *, certain: bool) -> list[Any]:
    found = []
    for subschema in branches:
        current().step()
        if is_valid(validator, instance, subschema, certain=certain):
            found.append(subschema)
    return found


def not_(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`not`."""
    check = current()
    check.step()
    if is_valid(validator, instance, value, certain=not check.certain):
        yield ValidationError("not")


def _no_branch(validator: Any, value: Any, instance: Any) -> ValidationError:
    """The error of a value that fits no branch; its context says what each branch objects to."""
    check = current()
    if not check.explaining or check.branching >= _BRANCHES_DEEP:
        return ValidationError("no branch")
    context: list[ValidationError] = []
    choices = sum(subschema != _NULL for subschema in value)
    check.branching += choices > 1
    try:
        for index, subschema in enumerate(value):
            check.step()
            found = validator.descend(instance, subschema, schema_path=index)
            context += islice(found, _ERRORS_OF_A_BRANCH)
    finally:
        check.branching -= choices > 1
    return ValidationError("no branch", context=context)
