"""Of the forms of `anyOf` and `oneOf` none of which a value fits: which of them was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError

from .forms import knows

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
    """The objections of the form that the value comes nearest to.

    That is one for the value's type and its tag (`{"kind": "cow"}`), else one that knows most of
    its members, else one that has fewest objections.
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
    """Whether it is the value's own type that is not wanted, in any of the forms there are."""
    if error.relative_path or error.validator not in ("type", "anyOf", "oneOf"):
        return False
    forms = by_form(error)
    found = all(any(_is_another_type(inner) for inner in form) for form in forms)
    return found and (bool(forms) or error.validator == "type")
