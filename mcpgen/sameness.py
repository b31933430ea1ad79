"""Whether what was decided before is what would be decided now, so that its outcome is too."""

from __future__ import annotations

from dataclasses import is_dataclass


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
        elif is_dataclass(mine):
            waiting.append((vars(mine), vars(theirs)))
        elif mine != theirs or repr(mine) != repr(theirs):
            return False
    return True
