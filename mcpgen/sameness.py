"""Comparing old and new values strictly, so that output made from the old can be reused."""

from __future__ import annotations

from typing import AnyStr

from msgspec import Struct


def identical(one: object, other: object) -> bool:
    """Whether two values are equal in every detail.

    Unlike `==`, it tells apart members in another order, and 1, 1.0 and true: each is written
    differently.
    """
    if one is other:
        return True
    waiting = [(one, other)]
    while waiting:
        mine, theirs = waiting.pop()
        if mine is theirs:
            continue
        if type(mine) is not type(theirs):
            return False
        if isinstance(mine, dict) and isinstance(theirs, dict):
            if list(mine) != list(theirs):
                return False
            waiting += zip(mine.values(), theirs.values(), strict=True)
        elif isinstance(mine, (list, tuple)) and isinstance(theirs, (list, tuple)):
            if len(mine) != len(theirs):
                return False
            waiting += zip(mine, theirs, strict=True)
        elif isinstance(mine, Struct):
            waiting += ((getattr(mine, n), getattr(theirs, n)) for n in mine.__struct_fields__)
        elif mine != theirs or (not isinstance(mine, str) and repr(mine) != repr(theirs)):
            return False
    return True


def shared_start(one: AnyStr, other: AnyStr) -> int:
    """The length of the longest common prefix."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def shared_end(one: AnyStr, other: AnyStr, after: int) -> int:
    """The length of the longest common suffix that begins at `after` or later in both."""
    least, most = 0, min(len(one), len(other)) - after
    while least < most:
        middle = (least + most + 1) // 2
        mine = one[len(one) - middle : len(one) - least]
        if mine == other[len(other) - middle : len(other) - least]:
            least = middle
        else:
            most = middle - 1
    return least
