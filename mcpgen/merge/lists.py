"""Three-way merge of a keyed list; for the base version only hashes are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")
C = TypeVar("C", covariant=True)


class _HasKey(Protocol):
    @property
    def key(self) -> str: ...


E = TypeVar("E", bound=_HasKey)


class Keyed(Struct, Generic[T], frozen=True):
    """An element, its key and the hash of its text."""

    key: str
    hash: str
    value: T


class Clash(Struct, Generic[C], frozen=True):
    """An element that both sides changed; for a side that removed it, the version is None."""

    key: str
    there: C | None
    new: C | None


@dataclass
class MergedList(Generic[T]):
    """The merged elements in order, and the elements that both sides changed."""

    elements: list[Keyed[T]]
    clashes: list[Clash[T]] = field(default_factory=list)


Mixer = Callable[[Keyed[T], Keyed[T]], Keyed[T] | None]
"""Makes one element of an edited one and a new one, or None where that cannot be done."""


def follows(base: str | None, there: str | None, new: str | None) -> bool | None:
    """Whether to take the new version: True, False (keep the person's), None (both changed it)."""
    if there == new:
        return False
    if there == base:
        return True
    return False if new == base else None


def merge_lists(
    base: Mapping[str, str],
    there: Sequence[Keyed[T]],
    new: Sequence[Keyed[T]],
    *,
    theirs: bool,
    mix: Mixer[T] | None = None,
) -> MergedList[T]:
    """Merge two lists; `base` has the hash of each element's last generated version.

    If both sides changed an element, the person's version stays; with `theirs`, the new one
    replaces it.
    """
    offered = {each.key: each for each in new}
    merged: MergedList[T] = MergedList([])
    for element in there:
        survivor = _settle(base, element, offered.get(element.key), merged.clashes, theirs, mix)
        if survivor is not None:
            merged.elements.append(survivor)
    present = {each.key for each in there}
    for index, element in enumerate(new):
        if element.key in present:
            continue
        if element.key in base:
            if base[element.key] == element.hash:
                continue
            merged.clashes.append(Clash(element.key, None, element.value))
            if not theirs:
                continue
        insert(merged.elements, element, new[:index])
    if {each.key for each in merged.elements} == set(offered):
        rank = {key: position for position, key in enumerate(offered)}
        merged.elements.sort(key=lambda each: rank[each.key])
    return merged


def _settle(
    base: Mapping[str, str],
    there: Keyed[T],
    new: Keyed[T] | None,
    clashes: list[Clash[T]],
    theirs: bool,
    mix: Mixer[T] | None,
) -> Keyed[T] | None:
    before = base.get(there.key)
    if new is None and before is None:
        return there
    taken = follows(before, there.hash, new.hash if new else None)
    if taken is None and new is not None and mix is not None:
        mixed = mix(there, new)
        if mixed is not None:
            return mixed
    if taken is None:
        clashes.append(Clash(there.key, there.value, new.value if new else None))
        taken = theirs
    return new if taken else there


def insert(elements: list[E], element: E, before: Sequence[E]) -> None:
    """Insert an element after the last one of `before` that the list has, or else at the start."""
    keys = [each.key for each in elements]
    for each in reversed(before):
        if each.key in keys:
            elements.insert(keys.index(each.key) + 1, element)
            return
    elements.insert(0, element)
