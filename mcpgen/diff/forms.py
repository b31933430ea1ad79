"""The forms of `anyOf` and `oneOf` in two versions of a schema: which of them became which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .shapes import WORDS, Shape, listed, name, shape, types, values

_MEMBERS = 4
"""Of an object without a name, so many tell which one it is."""


@dataclass
class Matched:
    """What became of the forms; those that are the same are in none of the lists."""

    changed: list[tuple[Any, Any]] = field(default_factory=list)
    gone: list[Any] = field(default_factory=list)
    come: list[Any] = field(default_factory=list)


def match(
    old: Sequence[Any],
    new: Sequence[Any],
    roots: tuple[Any, Any],
    same: Callable[[Any, Any], bool],
) -> Matched:
    """Match forms: the same ones, those of one name, those most alike, the two that are left."""
    found = Matched(
        gone=[one for one in old if not any(same(one, other) for other in new)],
        come=[other for other in new if not any(same(one, other) for one in old)],
    )
    named = {reference: form for form in found.come if (reference := _reference(form))}
    for form in list(found.gone):
        if (other := named.pop(_reference(form), None)) is not None:
            _pair(found, form, other)
    for form in list(found.gone):
        one = shape(form, roots[0]), roots[0]
        alike = [(_likeness(one, (shape(o, roots[1]), roots[1])), o) for o in found.come]
        best = max(alike, key=lambda each: each[0], default=(0, None))
        if best[0]:
            _pair(found, form, best[1])
    if len(found.gone) == len(found.come) == 1:
        one, other = found.gone[0], found.come[0]
        if types(shape(one, roots[0]), roots[0]) & types(shape(other, roots[1]), roots[1]):
            _pair(found, one, other)
    return found


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
