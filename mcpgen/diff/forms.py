"""The forms of `anyOf` and `oneOf` in two versions of a schema: which of them became which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .shapes import WORDS, Shape, listed, name, shape, text, types, values
from .versions import Versions

_MEMBERS = 4
"""Of an object without a name, so many tell which one it is."""


@dataclass
class Matched:
    """What became of the forms; those that are the same are in none of the lists."""

    changed: list[tuple[Any, Any]] = field(default_factory=list)
    gone: list[Any] = field(default_factory=list)
    come: list[Any] = field(default_factory=list)


def match(
    old: Sequence[Any], new: Sequence[Any], versions: Versions, same: Callable[[Any, Any], bool]
) -> Matched:
    """Match forms: identical ones, those of one name, the same, those most alike, the two left."""
    found = Matched(gone=_unlike(old, new, versions), come=_unlike(new, old, versions))
    named = {reference: form for form in found.come if (reference := _reference(form))}
    for form in list(found.gone):
        if (other := named.pop(_reference(form), None)) is not None:
            _pair(found, form, other)
    kept = [one for one in found.gone if not any(same(one, other) for other in new)]
    found.come = [other for other in found.come if not any(same(one, other) for one in old)]
    found.gone = kept
    come = [((shape(form, versions.new), versions.new), form) for form in found.come]
    for form in kept.copy():
        one = shape(form, versions.old), versions.old
        alike = [(_likeness(one, other), index) for index, (other, _) in enumerate(come)]
        best, index = max(alike, key=lambda each: each[0], default=(0, 0))
        if best:
            _pair(found, form, come.pop(index)[1])
    if len(found.gone) == len(found.come) == 1:
        one, other = found.gone[0], found.come[0]
        if _kinds(one, versions.old) & _kinds(other, versions.new):
            _pair(found, one, other)
    return found


def _unlike(forms: Sequence[Any], others: Sequence[Any], versions: Versions) -> list[Any]:
    """The forms that are not, as they are, among others."""
    known = {text(form) for form in others}
    return [
        form for form in forms if text(form) not in known or not versions.are_identical(form, form)
    ]


def _kinds(form: Any, root: Any) -> frozenset[str]:
    return types(shape(form, root), root)


def _pair(found: Matched, one: Any, other: Any) -> None:
    found.gone.remove(one)
    found.come.remove(other)
    found.changed.append((one, other))


def _reference(form: Any) -> str:
    reference = form.get("$ref") if isinstance(form, Mapping) else None
    return reference if isinstance(reference, str) else ""


def _likeness(one: tuple[Shape, Any], other: tuple[Shape, Any]) -> int:
    """How much two forms have in common; 0 where one cannot have become the other."""
    common = types(*one) & types(*other)
    if not common:
        return 0
    if common != {"object"}:
        lists = values(one[0]), values(other[0])
        return 1 if None in lists else len((lists[0] or set()) & (lists[1] or set()))
    members, others = (each[0].get("properties", {}) for each in (one, other))
    shared = members.keys() & others.keys()
    for key in shared:
        lists = (values(shape(members[key], one[1])), values(shape(others[key], other[1])))
        if lists[0] and lists[1] and not lists[0] & lists[1]:
            return 0
    return len(shared) or int(not members and not others)


def label(form: Any, root: Any) -> str:
    """A form in few words: its name or title, the value that tells it apart, or its types."""
    if reference := _reference(form):
        return f"`{name(reference)}`"
    found = shape(form, root)
    title = found.get("title")
    if isinstance(title, str) and title:
        return f"`{title}`"
    for key, member in found.get("properties", {}).items():
        tags = values(shape(member, root))
        if tags is not None and len(tags) == 1:
            return f"`{key}` {min(tags)}"
    if listing := values(found):
        return " or ".join(sorted(listing))
    if members := [f"`{key}`" for key in found.get("properties", {})]:
        return f"object of {', '.join(members[:_MEMBERS])}"
    return listed(types(found, root))


def by_type(schema: Shape) -> list[Shape]:
    """A schema without its words as one form for each type that it names."""
    form = {key: value for key, value in schema.items() if key not in {*WORDS, "default"}}
    named = form.get("type")
    if not isinstance(named, list):
        return [form]
    return [_of_type(each, form) for each in named]


def _of_type(kind: str, form: Shape) -> Shape:
    members = form.get("enum")
    if not isinstance(members, list):
        return {**form, "type": kind}
    fitting = [each for each in members if types({"const": each}, {}) & types({"type": kind}, {})]
    return {**form, "type": kind, "enum": fitting}
