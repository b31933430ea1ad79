"""The forms of an object: all schemas that it may have to fit, and the names they know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

_FORMS = 200
"""Forms of an object that are searched for a name."""
_NAMES = 20
"""References to references that are followed."""
_HOMES = 3
"""Objects that are named as those that an unknown name may belong to; of more, none is."""


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The properties that a schema itself declares."""
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def allowed(forms: Iterable[Any]) -> tuple[dict[str, Any], list[str]]:
    """The properties that schemas declare, and the patterns for further names."""
    known: dict[str, Any] = {}
    expressions: dict[str, Any] = {}
    for form in forms:
        for name, schema in properties_of(form).items():
            known.setdefault(name, schema)
        named = form.get("patternProperties") if isinstance(form, Mapping) else None
        expressions |= named if isinstance(named, Mapping) else {}
    return known, list(expressions)


def homes_of(
    name: str, known: Mapping[str, Any], forms: Iterable[Any], root: Mapping[str, Any]
) -> list[tuple[str | int, ...]]:
    """The paths to those of the known objects that declare the name; none where they are many.

    One that the forms require is meant before the others, and an object before an array of some.
    """
    homes: list[tuple[str | int, ...]]
    homes = [(key,) for key, schema in known.items() if knows(schema, name, root)]
    if not homes:
        homes = [(key, 0) for key, schema in known.items() if _items_know(schema, name, root)]
    required = _required(forms)
    homes = [home for home in homes if home[0] in required] or homes
    return homes if len(homes) <= _HOMES else []


def _required(forms: Iterable[Any]) -> list[Any]:
    """The names that schemas require."""
    lists = [form.get("required") for form in forms if isinstance(form, Mapping)]
    return [name for names in lists if isinstance(names, list) for name in names]


def knows(schema: Any, name: str, root: Mapping[str, Any]) -> bool:
    """Whether an object that fits the schema may have a property of that name."""
    return any(name in properties_of(form) for form in reached(schema, root))


def _items_know(schema: Any, name: str, root: Mapping[str, Any]) -> bool:
    """Whether the items of an array that fits the schema may have a property of that name."""
    forms = (form for form in reached(schema, root) if isinstance(form, Mapping))
    return knows({"anyOf": [form["items"] for form in forms if "items" in form]}, name, root)


def meant(schema: Any, root: Mapping[str, Any]) -> Any:
    """The schema that a schema stands for if it only refers to it: `$ref`, or an `allOf` of one."""
    for _ in range(_NAMES):
        if not isinstance(schema, Mapping) or {"type", "enum", "anyOf", "oneOf"} & schema.keys():
            break
        forms = list(_forms(schema, root))
        if len(forms) != 1:
            break
        schema = forms[0]
    return schema


def reached(schema: Any, root: Mapping[str, Any]) -> Iterator[Any]:
    """The schema, its forms and theirs, up to a bound."""
    queue = [schema]
    for part in queue:
        yield part
        queue += islice(_forms(part, root), _FORMS - len(queue))


def _forms(schema: Any, root: Mapping[str, Any]) -> Iterator[Any]:
    """What a schema refers to, joins, or chooses from."""
    if not isinstance(schema, Mapping):
        return
    defs, reference = root.get("$defs"), schema.get("$ref")
    if isinstance(defs, Mapping) and isinstance(reference, str):
        yield defs.get(reference.removeprefix("#/$defs/"))
    for keyword in ("allOf", "anyOf", "oneOf"):
        forms = schema.get(keyword)
        yield from forms if isinstance(forms, list) else ()
    yield from (schema[keyword] for keyword in ("if", "then", "else") if keyword in schema)
    dependent = schema.get("dependentSchemas")
    yield from dependent.values() if isinstance(dependent, Mapping) else ()
