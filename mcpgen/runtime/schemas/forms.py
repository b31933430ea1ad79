"""Finds the alternatives of a schema, and the properties and types that they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

FORMS = 200
"""Forms of an object that are searched for a name."""
_MAX_REFERENCES = 20
"""References to references that are followed."""
_MAX_HOMES = 3
"""Objects that are named as those that an unknown name may belong to; of more, none is."""

_OTHERS = "additionalProperties"
_MAX_INTEGER = 2.0**63


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The properties that a schema itself declares."""
    return _mapping(schema, "properties")


def _mapping(schema: Any, keyword: str) -> Mapping[str, Any]:
    value = schema.get(keyword) if isinstance(schema, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def allowed(forms: Iterable[Any]) -> tuple[dict[str, Any], list[str]]:
    """The properties that the schemas declare, and the patterns for further property names."""
    properties: dict[str, Any] = {}
    expressions: dict[str, Any] = {}
    for form in forms:
        for name, schema in properties_of(form).items():
            properties.setdefault(name, schema)
        expressions |= _mapping(form, "patternProperties")
    return properties, list(expressions)


def homes_of(
    name: str, properties: Mapping[str, Any], forms: Iterable[Any], root: Mapping[str, Any]
) -> list[str]:
    """The properties whose objects declare a member called `name`; empty if there are too many.

    If some of these properties are required, only those are returned.
    """
    homes = [key for key, schema in properties.items() if knows(schema, name, root)]
    lists = [form.get("required") for form in forms if isinstance(form, Mapping)]
    required = [each for names in lists if isinstance(names, list) for each in names]
    homes = [home for home in homes if home in required] or homes
    return homes if len(homes) <= _MAX_HOMES else []


def knows(schema: Any, name: str, root: Mapping[str, Any]) -> bool:
    """Whether an object that fits the schema may have a property with that name."""
    return any(name in properties_of(form) for form in all_forms(schema, root))


def target_of(schema: Any, root: Mapping[str, Any]) -> Any:
    """The target of a schema that is only a reference: a `$ref`, or an `allOf` with one member."""
    for _ in range(_MAX_REFERENCES):
        if not isinstance(schema, Mapping) or {"type", "enum", "anyOf", "oneOf"} & schema.keys():
            break
        forms = list(_forms(schema, root))
        if len(forms) != 1:
            break
        schema = forms[0]
    return schema


def all_forms(schema: Any, root: Mapping[str, Any]) -> Iterator[Any]:
    """The schema and all schemas that it refers to or combines, also indirectly, up to a limit."""
    queue = [schema]
    for part in queue:
        yield part
        queue += islice(_forms(part, root), FORMS - len(queue))


def _forms(schema: Any, root: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas that a schema refers to, combines, or chooses from."""
    if not isinstance(schema, Mapping):
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield _mapping(root, "$defs").get(reference.removeprefix("#/$defs/"))
    for keyword in ("allOf", "anyOf", "oneOf"):
        forms = schema.get(keyword)
        yield from forms if isinstance(forms, list) else ()
    yield from (schema[keyword] for keyword in ("if", "then", "else") if keyword in schema)
    yield from _mapping(schema, "dependentSchemas").values()


def types_of(schema: Mapping[str, Any]) -> list[Any]:
    """The types in a schema's own `type`."""
    return as_list(schema.get("type"))


def as_list(types: Any) -> list[Any]:
    """The types as a list, whether there is one or several."""
    return types if isinstance(types, list) else [types]


def whole(value: Any, schema: Any, root: Mapping[str, Any]) -> Any:
    """The value with `30` in place of `30.0` if the schema takes integers but no other numbers."""
    if not isinstance(value, (float, dict, list)) or schema is None:
        return value
    forms = [form for form in all_forms(schema, root) if isinstance(form, Mapping)]
    if isinstance(value, float):
        types = {kind for form in forms for kind in types_of(form)}
        is_integer = "integer" in types and "number" not in types and abs(value) < _MAX_INTEGER
        return int(value) if is_integer and value.is_integer() else value
    if isinstance(value, list):
        each = next((form["items"] for form in forms if "items" in form), None)
        return [whole(item, each, root) for item in value]
    members: dict[str, Any] = {}
    for form in reversed(forms):
        members |= properties_of(form)
    other = next((f[_OTHERS] for f in forms if isinstance(f.get(_OTHERS), Mapping)), None)
    return {name: whole(each, members.get(name, other), root) for name, each in value.items()}
