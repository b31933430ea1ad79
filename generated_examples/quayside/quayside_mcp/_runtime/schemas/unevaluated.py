"""`unevaluatedProperties` and `unevaluatedItems`: what no other part of a schema has evaluated.

References are followed as `$ref` follows them; if one leads out of the schema's document,
everything counts as evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, lookup_recursive_ref

from .checking import current, is_valid
from .keywords import Errors, keep_to
from .patterns import matches

_BRANCHES = ("allOf", "anyOf", "oneOf")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class _Elsewhere(Exception):
    """A reference that leads out of the document."""


def unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """`unevaluatedProperties`."""
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
    """`unevaluatedItems`."""
    if not validator.is_type(instance, "array"):
        return
    first = 0
    contained: set[int] = set()
    try:
        for applied in _applied(validator, instance, schema):
            if _takes_the_rest(applied, schema, _rest_of_items(applied), "unevaluatedItems"):
                return
            first = max(first, len(applied.get("prefixItems", applied.get("items", ()))))
            if "contains" in applied:
                wanted = applied["contains"]
                found = (i for i, item in enumerate(instance) if is_valid(validator, item, wanted))
                contained.update(found)
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


def _rest_of_items(applied: Mapping[str, Any]) -> str:
    """The keyword for the items after the first; before 2020-12, `items` may be a list."""
    return "additionalItems" if isinstance(applied.get("items"), list) else "items"


def _applied(validator: Any, instance: Any, schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema, and every subschema that applies to the same value and that the value fits."""
    check = current()
    seen: set[int] = set()
    waiting = [validator.evolve(schema=schema)]
    while waiting:
        scope = waiting.pop()
        applied = scope.schema
        if id(applied) in seen:
            continue
        seen.add(id(applied))
        check.step(len(instance))
        yield applied
        waiting += _referred(scope, applied)
        parts: list[Any] = []
        for keyword in _BRANCHES:
            branches = applied.get(keyword, ())
            parts += [branch for branch in branches if is_valid(scope, instance, branch)]
        for key, dependent in applied.get("dependentSchemas", {}).items():
            if key in instance:
                parts.append(dependent)
        if "if" in applied:
            holds = is_valid(scope, instance, applied["if"])
            parts += [applied["if"], applied.get("then")] if holds else [applied.get("else")]
        waiting += [_inside(scope, part) for part in parts if isinstance(part, Mapping)]


def _inside(scope: Any, part: Mapping[str, Any]) -> Any:
    """The validator of a subschema; its references are relative to its own `$id`."""
    if "$id" not in part:
        return scope.evolve(schema=part)
    resource = Resource.from_contents(part, default_specification=DRAFT202012)
    return scope.evolve(schema=part, _resolver=scope._resolver.in_subresource(resource))


def _referred(scope: Any, applied: Mapping[str, Any]) -> Iterator[Any]:
    """The validators of the schemas that a schema refers to."""
    for keyword in _REFERENCES:
        if keyword not in applied:
            continue
        try:
            if keyword == "$recursiveRef":
                found = lookup_recursive_ref(scope._resolver)
            else:
                found = scope._resolver.lookup(applied[keyword])
        except (Unresolvable, AttributeError, TypeError, ValueError):
            raise _Elsewhere from None
        if isinstance(found.contents, Mapping):
            yield scope.evolve(schema=found.contents, _resolver=found.resolver)
