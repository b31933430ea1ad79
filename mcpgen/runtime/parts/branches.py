"""`anyOf` and `oneOf`: the branches that a value fits, and the problems if it fits none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError

from ..schemas.forms import knows
from ..schemas.keywords import ERRORS_OF_A_BRANCH, Errors, PartKeyword, current, is_valid
from ..schemas.problems import (
    Problem,
    actual,
    advice_of,
    at,
    describe,
    types,
    values_in_words,
    whole,
)
from ..schemas.problems import one_of as said_one_of
from ..values.seams import KEYWORDS

TOO_MANY = "more than one branch"
"""The message of a `oneOf` that more than one branch fits."""
_MAX_BRANCH_DEPTH = 4
_NULL = {"type": "null"}
"""The alternative of an optional value, which is no choice."""
_MAX_PARTS = 50
_MAX_FORMS = 8
"""How many forms' names are told."""
_MAX_MEMBERS = 20
"""Members of a value that are looked for in a form."""
_BARE = {"required", "type", "title", "description"}
_Objections = list[ValidationError]


def any_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `anyOf`."""
    if not any(is_valid(validator, instance, subschema) for subschema in value):
        yield _no_branch(validator, value, instance)


def one_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """Check `oneOf`: a value is refused only if it certainly fits several branches.

    Branches may differ in a keyword that is not enforced, such as a format. If the validator lets
    branches overlap, a value is refused only if each matching branch requires a property that the
    others do not. So an integer is accepted for the branches `integer` and `number`, and any value
    for branches that differ only in their descriptions.
    """

    def fitting(branches: list[Any], *, certain: bool) -> list[Any]:
        return [each for each in branches if is_valid(validator, instance, each, certain=certain)]

    check = current()
    possible = fitting(value, certain=False)
    if not possible:
        yield _no_branch(validator, value, instance)
    elif check.certain or len(possible) > 1:
        sure = fitting(possible, certain=True)
        if check.certain:
            fits = len(sure) == len(possible) == 1
        else:
            fits = len(sure) <= 1 or (check.overlapping and not _exclusive(sure))
        if not fits:
            yield ValidationError(TOO_MANY)


def _exclusive(branches: list[Any]) -> bool:
    """Whether each branch requires a property that the other branches do not."""
    required = [_required(branch) for branch in branches]
    times = Counter(name for names in required for name in names)
    return all(any(times[name] == 1 for name in names) for names in required)


def _required(schema: Any) -> set[str]:
    """The properties that a schema requires, itself or through references and `allOf`."""
    root = current().root
    defs = root.get("$defs", {}) if isinstance(root, Mapping) else {}
    parts, names = [schema], set[str]()
    for part in parts:
        if isinstance(part, Mapping) and len(parts) <= _MAX_PARTS:
            names.update(part.get("required", ()))
            parts += part.get("allOf", ())
            parts.append(defs.get(part.get("$ref", "").removeprefix("#/$defs/")))
    return names


def _no_branch(validator: Any, value: Any, instance: Any) -> ValidationError:
    """The error for a value that fits no branch; its context has the errors of each branch."""
    check = current()
    if not check.explaining or check.branching >= _MAX_BRANCH_DEPTH:
        return ValidationError("no branch")
    context: list[ValidationError] = []
    choices = sum(subschema != _NULL for subschema in value)
    check.branching += choices > 1
    try:
        for index, subschema in enumerate(value):
            check.step()
            errors = validator.descend(instance, subschema, schema_path=index)
            context += islice(errors, ERRORS_OF_A_BRANCH)
    finally:
        check.branching -= choices > 1
    return ValidationError("no branch", context=context)


def problems(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The problems of a value that fits no branch, or too many branches."""
    if needed := _needed(error.validator_value):
        text = "must have only one of" if error.message == TOO_MANY else "must have"
        return [Problem(at(error), f"{text} {needed}")]
    if error.message == TOO_MANY:
        text = "fits several forms, and must fit exactly one"
        return [Problem(at(error), text)]
    if not error.context:
        return [Problem(at(error), "fits none of the allowed forms")]
    branches = _by_form(error)
    if choices := _choices(branches):
        alternatives = " or ".join(dict.fromkeys(choices))
        advice = advice_of(error.instance, _values(error.context))
        return [Problem(at(error), f"must be {alternatives}", actual(error.instance), advice)]
    if tag := _wrong_tag(branches):
        return [tag]
    nearest = _nearest_forms(error, branches, root)
    missing = [names for names in map(_missing, nearest) if names]
    if _missing(nearest[0]) and len(missing) > 1:
        return [Problem(at(error), f"must have {_either(missing)}")]
    return [problem for inner in nearest[0] for problem in describe(inner, root)]


def _needed(forms: Any) -> str:
    """The required members of each branch, as text; empty if the branches have other keywords."""
    bare = (form for form in forms if isinstance(form, Mapping) and not form.keys() - _BARE)
    lists = [form["required"] for form in bare if isinstance(form.get("required"), list)]
    return "" if len(lists) < len(forms) else _either(lists)


def _missing(objections: _Objections) -> list[str]:
    """The required names that the value lacks, if the branch has no other objection."""
    if any(error.validator != "required" or error.relative_path for error in objections):
        return []
    lists: list[Any] = [error.validator_value for error in objections]
    value: Any = objections[0].instance
    return [n for n in dict.fromkeys(name for names in lists for name in names) if n not in value]


def _either(lists: Sequence[Sequence[str]]) -> str:
    """Lists of names, as "`a` and `b` or `c`"; if there are many lists, only the first few."""
    texts = [" and ".join(f"`{name}`" for name in names) for names in lists[:_MAX_FORMS]]
    more = len(lists) - _MAX_FORMS
    return " or ".join([*dict.fromkeys(texts), *([f"what {more} other forms need"] * (more > 0))])


def _wrong_tag(branches: Iterable[list[ValidationError]]) -> Problem | None:
    """The problem that the value's tag (`{"kind": "cow"}`) fits no branch; None if there is
    no tag.
    """
    tags: list[ValidationError] = []
    for errors in branches:
        if any(e.validator == "type" and not e.relative_path for e in errors):
            continue
        if len(own := _tags_of(errors)) != 1:
            return None
        tags += own
    if len({tuple(tag.absolute_path) for tag in tags}) != 1:
        return None
    choices: list[Any] = []
    for choice in _values(tags):
        if choice not in choices:
            choices.append(choice)
    return Problem(at(tags[0]), *said_one_of(choices, tags[0].instance))


def _choices(branches: list[list[ValidationError]]) -> list[str]:
    """The types or values that the branches expect; empty if a branch also has other rules."""
    choices = [_list_choices(errors) for errors in branches]
    return [text for each in choices for text in each] if all(choices) else []


def _list_choices(errors: list[ValidationError]) -> list[str]:
    first = errors[0]
    value: Any = first.validator_value
    if first.relative_path:
        return []
    if first.validator == "type":
        return [types(value)]
    if len(errors) > 1:
        return []
    if first.validator in ("anyOf", "oneOf"):
        return _choices(_by_form(first))
    if first.validator == "enum":
        return [f"one of {values_in_words(value)}"]
    return [whole(value)] if first.validator == "const" else []


def _values(errors: Iterable[ValidationError]) -> Iterator[Any]:
    """The values in the branches' `enum` and `const`."""
    for error in errors:
        limit: Any = error.validator_value
        if error.validator in ("enum", "const"):
            yield from limit if error.validator == "enum" else (limit,)
        yield from _values(error.context)


def _by_form(error: ValidationError) -> list[_Objections]:
    """The errors, grouped by the branches of an `anyOf` or `oneOf`."""
    forms: dict[Any, _Objections] = {}
    for inner in error.context:
        forms.setdefault(inner.schema_path[0], []).append(inner)
    return list(forms.values())


def _tags_of(objections: _Objections) -> _Objections:
    """The errors of `const` and `enum` about direct members of the value."""
    return [e for e in objections if e.validator in ("const", "enum") and len(e.relative_path) == 1]


def _nearest_forms(
    error: ValidationError, forms: Sequence[_Objections], root: Mapping[str, Any]
) -> list[_Objections]:
    """The objections of the branches that the value comes closest to, the closest first.

    If possible, these branches allow the value's type and its tag (`{"kind": "cow"}`). Among such
    branches, they declare the most members of the value. The first one has the fewest objections.
    """
    value: Any = error.instance
    members = list(islice(value, _MAX_MEMBERS)) if isinstance(value, Mapping) else []
    schemas: Any = error.validator_value
    declared = [
        {name for name in members if knows(schemas[form[0].schema_path[0]], name, root)}
        for form in forms
    ]
    wrong = [{tag.relative_path[0] for tag in _tags_of(form)} for form in forms]
    fitting = {name for names, tags in zip(declared, wrong, strict=True) for name in names - tags}

    def distance(number: int) -> tuple[int, int, int, int]:
        form = forms[number]
        another_type = any(_is_another_type(e) for e in form)
        another_tag = bool(wrong[number] & fitting)
        depth = max(len(e.relative_path) for e in form)
        return 2 * another_type + another_tag, -len(declared[number]), len(form), -depth

    places = sorted(range(len(forms)), key=distance)
    return [forms[number] for number in places if distance(number)[:2] == distance(places[0])[:2]]


def _is_another_type(error: ValidationError) -> bool:
    """Whether no branch allows the type of the value."""
    if error.relative_path or error.validator not in ("type", "anyOf", "oneOf"):
        return False
    forms = _by_form(error)
    of_all = all(any(_is_another_type(inner) for inner in form) for form in forms)
    return of_all and (bool(forms) or error.validator == "type")


KEYWORDS["anyOf"] = PartKeyword(any_of, problems)
KEYWORDS["oneOf"] = PartKeyword(one_of, problems)
