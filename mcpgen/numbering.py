"""Telling names apart by numbers."""

from __future__ import annotations

from collections.abc import Container


def numbered(name: str, taken: Container[str], form: str = "{}{}") -> str:
    """The name, or if it is taken the first free one of `name2`, `name3`, and so on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = form.format(name, number)
    return free
