"""Validators for the dialects of JSON Schema, with some of jsonschema's keywords replaced.

Nothing is ever fetched: a reference out of the schema allows anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend, validator_for
from referencing import Registry

from ..values.errors import optional
from . import keywords

_COUNTED = (
    "allOf", "if", "items", "prefixItems", "additionalItems", "contains", "properties",
    "dependentSchemas", "dependencies", "extends",
)  # fmt: skip
_OF_NAMES = ("required", "dependentRequired")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_SCHEMA_DATA = ("const", "enum", "default", "example", "examples")
_NAMED = (
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
)  # fmt: skip


def build(schema: Any) -> Any:
    """A validator in the dialect that the schema names, 2020-12 where it names none it knows.

    Returns None for a schema that is too broken or too deep to make one.
    """
    try:
        base = class_for(schema, Draft202012Validator)
        return _bounded(base)(enforceable(schema), registry=Registry())
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None


def class_for(schema: Any, default: Any) -> Any:
    """The class of validators for the dialect that a schema names, else `default`.

    The URI of a dialect may begin with http or https.
    """
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    if not isinstance(named, str):
        return default
    scheme, colon, rest = named.partition(":")
    other = {"http": "https", "https": "http"}.get(scheme, scheme)
    try:
        known = validator_for({"$schema": f"{other}{colon}{rest}"}, default=default)
        return validator_for({"$schema": named}, default=known)
    except ValueError:  # it is no URI
        return default


@lru_cache
def _bounded(base: Any) -> Any:
    own: dict[str, keywords.Keyword] = {
        "pattern": keywords.pattern,
        "format": keywords.format_,
        "patternProperties": keywords.pattern_properties,
        "additionalProperties": keywords.additional_properties,
        "unevaluatedProperties": _unevaluated("unevaluated_properties"),
        "unevaluatedItems": _unevaluated("unevaluated_items"),
        "propertyNames": keywords.property_names,
        "uniqueItems": keywords.unique_items,
        "multipleOf": keywords.multiple_of,
        "enum": keywords.enum,
        "const": keywords.const,
        "anyOf": keywords.any_of,
        "oneOf": keywords.one_of,
        "not": keywords.not_,
    }
    known = base.VALIDATORS
    changed = {name: keyword for name, keyword in own.items() if name in known}
    changed |= {name: keywords.counted(known[name]) for name in _COUNTED if name in known}
    names = (name for name in _OF_NAMES if name in known)
    changed |= {name: keywords.counted(known[name], inside=False) for name in names}
    changed |= {name: keywords.reference(known[name]) for name in _REFERENCES if name in known}
    make: Any = extend
    return make(base, changed)


def _unevaluated(name: str) -> keywords.Keyword:
    """A keyword whose module only servers have with such a schema."""

    def check(validator: Any, value: Any, instance: Any, schema: Any) -> keywords.Errors:
        keyword = getattr(optional("schemas.unevaluated"), name)
        yield from keyword(validator, value, instance, schema)

    return check


def enforceable(schema: Any, names: bool = False) -> Any:
    """Copy the schema without what jsonschema would judge otherwise than we need.

    `$schema` inside a schema would bring back the stock keywords of its dialect. jsonschema's error
    for a property or branch that is `false` does not name it, but its error for `{"not": {}}` does.
    `names`: the mapping's keys are names, not keywords.
    """
    if isinstance(schema, Mapping) and names:
        return {name: _member(value) for name, value in schema.items()}
    if isinstance(schema, Mapping):
        return {
            key: value if key in _SCHEMA_DATA else enforceable(value, key in _NAMED)
            for key, value in schema.items()
            if key != "$schema"
        }
    if isinstance(schema, list):
        return [_member(item) for item in schema]
    return schema


def _member(schema: Any) -> Any:
    return {"not": {}} if schema is False else enforceable(schema)
