"""Whether what was decided before is what would be decided now, so that its outcome is too."""

from __future__ import annotations


def identical(one: object, other: object) -> bool:
    """Whether two values are the same to the last detail.

    Unlike with `==`, members in another order make a difference, and so do 1, 1.0 and true: what
    is written of one is not what is written of the other.
    """
    return one is other or (one == other and repr(one) == repr(other))
