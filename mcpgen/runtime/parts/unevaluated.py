"""`unevaluatedProperties` and `unevaluatedItems`: values that nothing else in a schema evaluates.

`$dynamicRef` and `$recursiveRef` are followed as if they were `$ref`. If a reference leads out of
the schema's document, or a subschema has an `$id` of its own, everything counts as evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from ..schemas.keywords import Errors, PartKeyword, current, is_valid, keep_to
from ..schemas.patterns import matches
from ..values.seams import KEYWORDS

_BRANCHES = ("allOf", "anyOf", "oneOf")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class _Elsewhere(Exception):
    """Raised for a reference that leads out of the document."""


def unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `unevaluatedProperties`."""
    if not validator.is_type(instance, "object"):
        return
    evaluated: set[str] = set()
    try:
        for applied in _applied(validator, instance, schema):
            if _takes_the_rest(applied, schema, "additionalProperties", "unevaluatedProperties"):
                return
            evaluated.update(applied.get("properties", ()))
            for expression in applied.get("patternProperties", ()):
                evaluated.update(key for key in instance if matches(expression, key))
    except _Elsewhere:
        return
    keys = [key for key in instance if key not in evaluated]
    yield from keep_to(validator, value, instance, keys)


def unevaluated_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `unevaluatedItems`."""
    if not validator.is_type(instance, "array"):
        return
    first = 0
    contained: set[int] = set()
    try:
        for applied in _applied(validator, instance, schema):
            # Before 2020-12, `items` may be a list of the first ones.
            rest = "additionalItems" if isinstance(applied.get("items"), list) else "items"
            if _takes_the_rest(applied, schema, rest, "unevaluatedItems"):
                return
            first = max(first, len(applied.get("prefixItems", applied.get("items", ()))))
            if "contains" in applied:
                part = applied["contains"]
                indices = (i for i, item in enumerate(instance) if is_valid(validator, item, part))
                contained.update(indices)
    except _Elsewhere:
        return
    for index in range(first, len(instance)):
        if index in contained:
            continue
        if value is False:
            yield ValidationError("unevaluatedItems", path=[index])
            return
        yield from validator.descend(instance[index], value, path=index)


def _takes_the_rest(applied: Mapping[str, Any], schema: Any, rest: str, unevaluated: str) -> bool:
    return rest in applied or (unevaluated in applied and applied is not schema)


def _applied(validator: Any, instance: Any, schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema, and every subschema that applies to the same value and accepts it."""
    check = current()
    ids: set[int] = set()
    waiting = [validator.evolve(schema=schema)]
    while waiting:
        scope = waiting.pop()
        applied = scope.schema
        if id(applied) in ids:
            continue
        ids.add(id(applied))
        check.step(len(instance))
        yield applied
        waiting += _referred(scope, applied)
        parts: list[Any] = []
        for keyword in _BRANCHES:
            branches = applied.get(keyword, ())
            parts += [branch for branch in branches if is_valid(scope, instance, branch)]
        dependent = applied.get("dependentSchemas", {})
        parts += [each for key, each in dependent.items() if key in instance]
        if "if" in applied:
            holds = is_valid(scope, instance, applied["if"])
            parts += [applied["if"], applied.get("then")] if holds else [applied.get("else")]
        for part in parts:
            if isinstance(part, Mapping):
                if "$id" in part:
                    raise _Elsewhere
                waiting.append(scope.evolve(schema=part))


def _referred(scope: Any, applied: Mapping[str, Any]) -> Iterator[Any]:
    """The validators of the schemas that a schema refers to."""
    for keyword in _REFERENCES:
        if keyword not in applied:
            continue
        try:
            target = scope._resolver.lookup(applied[keyword])
        except (Unresolvable, AttributeError, TypeError, ValueError):
            raise _Elsewhere from None
        if isinstance(target.contents, Mapping):
            yield scope.evolve(schema=target.contents, _resolver=target.resolver)


KEYWORDS["unevaluatedProperties"] = PartKeyword(unevaluated_properties)
KEYWORDS["unevaluatedItems"] = PartKeyword(unevaluated_items)
