"""Whether what was decided before is what would be decided now, so that its outcome is too."""

from __future__ import annotations

from typing import AnyStr

from msgspec import Struct


def identical(one: object, other: object) -> bool:
    """Whether two values are the same to the last detail.

    Unlike with `==`, members in another order make a difference, and so do 1, 1.0 and true: what
    is written of one is not what is written of the other.
    """
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
        elif mine != theirs or repr(mine) != repr(theirs):
            return False
    return True


def shared_start(one: AnyStr, other: AnyStr) -> int:
    """How long the beginning is that two texts share."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def shared_end(one: AnyStr, other: AnyStr, after: int) -> int:
    """How long the end is that two texts share; what is before `after` in either is no part."""
    least, most = 0, min(len(one), len(other)) - after
    while least < most:
        middle = (least + most + 1) // 2
        mine = one[len(one) - middle : len(one) - least]
        if mine == other[len(other) - middle : len(other) - least]:
            least = middle
        else:
            most = middle - 1
    return least
