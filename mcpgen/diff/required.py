"""Comparison of the properties that objects must have in two versions of a schema."""

from __future__ import annotations

from collections.abc import Iterator

from .joins import Shape

Needed = Iterator[tuple[bool, str, str]]
"""True: is required now, False: no longer; which property; with which others, if not always."""


def needed(old: Shape, new: Shape) -> Needed:
    """The properties that are required in one version only."""
    yield from _always(old, new)
    yield from _with_others(old, new)


def _always(old: Shape, new: Shape) -> Needed:
    """The properties that became required or optional.

    A new property that is required, and a removed one that was, are not among them.
    """
    before, after = old.get("properties", {}), new.get("properties", {})
    was, now = set(old.get("required", ())), set(new.get("required", ()))
    for name in dict.fromkeys([*after, *sorted(was | now)]):
        is_told = (name in before) != (name in after) and (name in after) == (name in now)
        if (name in now) != (name in was) and not is_told:
            yield name in now, name, ""


def _with_others(old: Shape, new: Shape) -> Needed:
    """Properties that are newly, or no longer, required together with another property."""
    if old.get("dependentRequired") == new.get("dependentRequired"):
        return
    before, after = old.get("properties", {}), new.get("properties", {})
    ruled = {*old.get("dependentRequired", ()), *new.get("dependentRequired", ())}
    common = sorted(ruled - (before.keys() ^ after.keys()))
    for come, one, other in ((True, new, old), (False, old, new)):
        dependents: dict[str, list[str]] = {}
        exceptions = {*one.get("required", ()), *(() if come else before.keys() - after.keys())}
        for name in common:
            for missing in sorted(_needed_with(one, name) - _needed_with(other, name)):
                if missing not in exceptions:
                    dependents.setdefault(missing, []).append(name)
        for missing, names in dependents.items():
            yield come, missing, f"with {', '.join(names)}"


def _needed_with(schema: Shape, member: str) -> set[str]:
    """The properties that an object with the given property must have."""
    rules = schema.get("dependentRequired", {})
    waiting = [member, *schema.get("required", ())]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += rules.get(name, ())
    return needed
