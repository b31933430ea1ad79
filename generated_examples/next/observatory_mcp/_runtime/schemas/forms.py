"""The forms of `anyOf` and `oneOf` that a value does not fit: which of them was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError

_FORMS = 200
"""Forms of an object, in which a name may be known, that are looked at."""
_NAMES = 20
"""Members of a value that are looked for in a form."""
_Objections = list[ValidationError]


def by_form(error: ValidationError) -> list[_Objections]:
    """What each form objects to."""
    forms: dict[Any, _Objections] = {}
    for inner in error.context:
        forms.setdefault(inner.schema_path[0], []).append(inner)
    return list(forms.values())


def nearest_form(
    error: ValidationError, forms: Sequence[_Objections], root: Mapping[str, Any]
) -> _Objections:
    """What the form objects to from which the value is least far.

    That is one of the value's own type, of its tag (`{"kind": "cow"}`), that knows most of its
    members, and that has fewest objections.
    """
    value: Any = error.instance
    members = list(islice(value, _NAMES)) if isinstance(value, Mapping) else []
    schemas: Any = error.validator_value
    known = [
        {name for name in members if knows(schemas[form[0].schema_path[0]], name, root)}
        for form in forms
    ]
    wrong = [_wrong_values(form) for form in forms]
    fitting = {name for has, tags in zip(known, wrong, strict=True) for name in has - tags}

    def distance(number: int) -> tuple[int, int, int, int]:
        form = forms[number]
        another_type = any(_is_another_type(e) for e in form)
        another_tag = bool(wrong[number] & fitting)
        depth = max(len(e.relative_path) for e in form)
        return 2 * another_type + another_tag, -len(known[number]), len(form), -depth

    return forms[min(range(len(forms)), key=distance)]


def _wrong_values(form: _Objections) -> set[Any]:
    """The members whose values are none of those that the form allows."""
    tags = [e for e in form if e.validator in ("const", "enum") and len(e.relative_path) == 1]
    return {tag.relative_path[0] for tag in tags}


def _is_another_type(error: ValidationError) -> bool:
    """Whether the value itself has a type that is not wanted, in none of the forms there are."""
    if error.relative_path or error.validator not in ("type", "anyOf", "oneOf"):
        return False
    forms = by_form(error)
    found = all(any(_is_another_type(inner) for inner in form) for form in forms)
    return found and (bool(forms) or error.validator == "type")


def knows(schema: Any, name: str, root: Mapping[str, Any]) -> bool:
    """Whether the objects that fit a schema may have a property of that name, by its forms."""
    return any(name in properties_of(part) for part in _all_forms(schema, root))


def items_know(schema: Any, name: str, root: Mapping[str, Any]) -> bool:
    """The same of the items of the arrays that fit a schema."""
    parts = (part for part in _all_forms(schema, root) if isinstance(part, Mapping))
    return knows({"anyOf": [part["items"] for part in parts if "items" in part]}, name, root)


def _all_forms(schema: Any, root: Mapping[str, Any]) -> Iterator[Any]:
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


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The properties that a schema itself declares."""
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}
