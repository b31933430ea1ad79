"""`unevaluatedProperties` and `unevaluatedItems`: what no other part of a schema has looked at.

References are followed inside the schema's own document; where one leads elsewhere, or depends on
the dynamic scope, nothing is known to be unevaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from jsonschema.exceptions import ValidationError

from .checking import current, is_valid
from .keywords import Errors, keep_to
from .patterns import matches

_BRANCHES = ("allOf", "anyOf", "oneOf")


class _Elsewhere(Exception):
    """A reference that is not followed here."""


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
    """The keyword for the items after the first ones: before 2020-12 a list is `items`."""
    return "additionalItems" if isinstance(applied.get("items"), list) else "items"


def _applied(validator: Any, instance: Any, schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema, and every subschema that applies to the same value and that the value fits."""
    check = current()
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        applied = waiting.pop()
        if not isinstance(applied, Mapping) or id(applied) in seen:
            continue
        seen.add(id(applied))
        check.step(len(instance))
        yield applied
        if "$dynamicRef" in applied or "$recursiveRef" in applied:
            raise _Elsewhere
        if "$ref" in applied:
            waiting.append(_target(check.root, applied["$ref"]))
        for keyword in _BRANCHES:
            branches = applied.get(keyword, ())
            waiting += [branch for branch in branches if is_valid(validator, instance, branch)]
        for key, dependent in applied.get("dependentSchemas", {}).items():
            if key in instance:
                waiting.append(dependent)
        if "if" in applied:
            holds = is_valid(validator, instance, applied["if"])
            waiting += [applied["if"], applied.get("then")] if holds else [applied.get("else")]


def _target(root: Any, ref: Any) -> Any:
    """What a JSON Pointer fragment names."""
    if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
        raise _Elsewhere
    node = root
    for step in unquote(ref[1:]).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        try:
            node = node[int(key)] if isinstance(node, list) else node[key]
        except (KeyError, IndexError, ValueError, TypeError):
            raise _Elsewhere from None
    return node
