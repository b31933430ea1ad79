"""Matching the alternatives of `anyOf` and `oneOf` in two versions of a schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from ..schemas.types import type_of, with_integers
from .joins import WORDS, Shape, text, values
from .shapes import choices, shape, types, types_in_words
from .shared_definitions import Root, Versions, name

_OF_TYPE = {"null": frozenset({"null"}), "boolean": frozenset({"false", "true"})}
"""All values of the types that have few."""
_MAX_MEMBERS = 4
"""Of an object without a name, so many tell which one it is."""


def contents(old: Shape, new: Shape) -> tuple[Any, Any]:
    """The `contentSchema` of two string schemas; True for both if either has none."""
    before, after = (each.get("contentSchema") for each in (old, new))
    return (True, True) if before is None or after is None else (before, after)


class Matched(Struct):
    """Pairs of old and new alternatives that correspond, and those that were removed or added.

    Identical alternatives are left out.
    """

    changed: list[tuple[Any, Any]]
    gone: list[Any]
    come: list[Any]


class _Form:
    """An alternative with the features that distinguish it from the others."""

    def __init__(self, form: Any, root: Root) -> None:
        schema = shape(form, root)
        self.form = form
        self.types = types(schema, root)
        self.values = values(schema)
        self.members = {
            key: values(shape(member, root)) for key, member in schema.get("properties", {}).items()
        }

    def may_be(self, other: _Form) -> bool:
        """Whether two alternatives have the same types and listed values, and so may correspond."""
        return (self.types, self.values, self.members) == (other.types, other.values, other.members)

    def likeness(self, other: _Form) -> int:
        """A measure of what two alternatives share; 0 if they cannot be versions of each other."""
        common = self.types & other.types
        if not common:
            return 0
        if common != {"object"}:
            if self.values is None or other.values is None:
                return 1
            return len(self.values & other.values)
        shared = self.members.keys() & other.members.keys()
        for key in shared:
            one, two = self.members[key], other.members[key]
            if one and two and not one & two:
                return 0
        if not (self.members or other.members):
            return 1
        return len(shared)


def match(
    old: Sequence[Any], new: Sequence[Any], versions: Versions, same: Callable[[Any, Any], bool]
) -> Matched:
    """Match alternatives of two versions: by name, then by content, then by likeness.

    Identical ones are left out. If one of each version remains, the two match if they share a type.
    """
    before = [_Form(form, versions.old) for form in old]
    after = [_Form(form, versions.new) for form in new]
    gone, come = _unlike(before, after, versions), _unlike(after, before, versions)
    pairs = []

    def pair(one: _Form, other: _Form) -> None:
        gone.remove(one)
        come.remove(other)
        pairs.append((one.form, other.form))

    def are_same(one: _Form, other: _Form) -> bool:
        return one.may_be(other) and same(one.form, other.form)

    by_reference = {reference: form for form in come if (reference := _reference(form.form))}
    for one in gone.copy():
        if (other := by_reference.pop(_reference(one.form), None)) is not None:
            pair(one, other)
    gone = [one for one in gone if not any(are_same(one, other) for other in after)]
    come = [other for other in come if not any(are_same(one, other) for one in before)]
    for one in gone.copy():
        best = max(come, key=one.likeness, default=None)
        if best is not None and one.likeness(best):
            pair(one, best)
    if len(gone) == len(come) == 1 and gone[0].types & come[0].types:
        pair(gone[0], come[0])
    return Matched(pairs, [each.form for each in gone], [each.form for each in come])


def _unlike(forms: Sequence[_Form], others: Sequence[_Form], versions: Versions) -> list[_Form]:
    """The alternatives in `forms` for which `others` has no identical one."""
    other_texts = {text(other.form) for other in others}
    return [
        one
        for one in forms
        if text(one.form) not in other_texts or not versions.are_identical(one.form, one.form)
    ]


def _reference(form: Any) -> str:
    reference = form.get("$ref") if isinstance(form, Mapping) else None
    return reference if isinstance(reference, str) else ""


def with_others(old: Any, form: Any, forms: Sequence[Any], versions: Versions) -> Any:
    """The alternative, with properties of `old` added that other alternatives have now."""
    had = shape(old, versions.old).get("properties", {})
    schema = shape(form, versions.new)
    mine = schema.get("properties", {})
    others = [shape(other, versions.new).get("properties", {}) for other in forms]
    lent = {
        name: each[name] for each in others for name in each if name in had.keys() - mine.keys()
    }
    return {**schema, "properties": {**mine, **lent}} if lent else form


def excludes(old: Shape, new: Shape, versions: Versions) -> bool:
    """Whether a value may be refused now because it fits two alternatives of a `oneOf`."""
    before, after = old.get("oneOf", []), new.get("oneOf", [])
    if overlap := _overlap(after, versions.new):
        had = _overlap(before, versions.old)
        return any(each not in had and kind not in had for each, kind in overlap.items())
    return "anyOf" in old and not before and not _exclude(after, versions.new)


def _exclude(forms: Sequence[Any], root: Root) -> bool:
    """Whether no value can fit two alternatives, judged by their types and constants only."""
    shapes = [shape(form, root) for form in forms]
    return all(
        _differ(one, other, root) or _members_differ(one, other, root)
        for one, other in combinations(shapes, 2)
    )


def _differ(one: Shape, other: Shape, root: Root) -> bool:
    if not types(one, root) & types(other, root):
        return True
    mine, others = values(one), values(other)
    return mine is not None and others is not None and not mine & others


def _members_differ(one: Shape, other: Shape, root: Root) -> bool:
    """Whether a property that both alternatives require has no value that fits both."""
    if types(one, root) & types(other, root) != {"object"}:
        return False
    needed = {*one.get("required", ())} & {*other.get("required", ())}
    mine, others = one.get("properties", {}), other.get("properties", {})
    return any(
        _differ(shape(mine[key], root), shape(others[key], root), root)
        for key in needed & mine.keys() & others.keys()
    )


def _overlap(forms: Sequence[Any], root: Root) -> dict[str, str]:
    """Values that certainly fit two of the alternatives, each with its type.

    Objects and arrays are left out. If both alternatives list values, the result has those that are
    in both lists. If one lists values and the other has only a type, it has the listed values of
    that type. If neither lists values, it has the names of their common types.
    """
    overlap: dict[str, str] = {}
    for one, other in combinations([shape(form, root) for form in forms], 2):
        common = types(one, root) & types(other, root) - {"object", "array"}
        lists = [listing for each in (one, other) if (listing := _only_listed(each)) is not None]
        if len(lists) < 2 and not any(each.keys() - WORDS <= {"type"} for each in (one, other)):
            continue
        if lists:
            kinds = {value: type_of(json.loads(value)) for value in frozenset.intersection(*lists)}
            overlap |= {value: kind for value, kind in kinds.items() if kind in common}
        else:
            overlap |= {kind: kind for kind in common}
    return overlap


def _only_listed(schema: Shape) -> frozenset[str] | None:
    """The values of a schema that only lists values; None for any other schema."""
    keywords = {key for key in schema.keys() - WORDS if not key.startswith("x-")}
    if keywords == {"type"}:
        return _OF_TYPE.get(str(schema["type"]))
    return values(schema) if keywords <= {"type", "enum", "const"} else None


def of_values(schema: Shape, root: Root) -> Shape:
    """A choice between lists of values as a single `enum`; any other schema is unchanged."""
    lists = [_only_listed(shape(form, root)) for form in choices(schema)]
    value_sets = [listing for listing in lists if listing is not None]
    if not value_sets or len(value_sets) < len(lists):
        return schema
    return {"enum": [json.loads(value) for value in frozenset().union(*value_sets)]}


def label(form: Any, root: Root) -> str:
    """A short description of an alternative: its name or title, its constant, or its types."""
    if reference := _reference(form):
        return f"`{name(reference)}`"
    schema = shape(form, root)
    title = schema.get("title")
    if isinstance(title, str) and title:
        return f"`{title}`"
    for key, member in schema.get("properties", {}).items():
        tags = values(shape(member, root))
        if tags is not None and len(tags) == 1:
            return f"`{key}` {min(tags)}"
    if listing := values(schema):
        return " or ".join(sorted(listing))
    if members := [f"`{key}`" for key in schema.get("properties", {})]:
        return f"object of {', '.join(members[:_MAX_MEMBERS])}"
    if needed := [f"`{key}`" for key in schema.get("required", ())]:
        return f"object that has {', '.join(needed[:_MAX_MEMBERS])}"
    return types_in_words(types(schema, root))


def labels(forms: Sequence[Any], root: Root, reported_types: frozenset[str]) -> str:
    """The labels of the alternatives, except those whose types are all in `reported_types`."""
    others = (form for form in forms if not types(shape(form, root), root) <= reported_types)
    return ", ".join(dict.fromkeys(label(form, root) for form in others))


def by_type(schema: Shape) -> list[Shape]:
    """A schema with one alternative per type, without descriptions."""
    form = {key: value for key, value in schema.items() if key not in {*WORDS, "default"}}
    declared_type = form.get("type")
    if not isinstance(declared_type, list):
        return [form]
    return [_of_type(each, form) for each in declared_type]


def _of_type(kind: str, form: Shape) -> Shape:
    members = form.get("enum")
    if not isinstance(members, list):
        return {**form, "type": kind}
    fitting = [each for each in members if type_of(each) in with_integers({kind})]
    return {**form, "type": kind, "enum": fitting}
