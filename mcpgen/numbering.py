"""Telling names apart by numbers."""

from __future__ import annotations

from collections.abc import Container, Iterable


def numbered(name: str, taken: Container[str], form: str = "{}{}") -> str:
    """The name, or if it is taken the first free one of `name2`, `name3`, and so on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = form.format(name, number)
    return free


class Numbering:
    """Numbers names as they come, in a time that does not grow with how often one does."""

    def __init__(self, form: str, taken: Iterable[str] = ()) -> None:
        self._form = form
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        """The name as `numbered` would give it, taken from now on."""
        number = self._numbers.get(name, 1)
        free = name if number == 1 else self._form.format(name, number)
        while free in self._taken:
            number += 1
            free = self._form.format(name, number)
        self._numbers[name] = number
        self._taken.add(free)
        return free
