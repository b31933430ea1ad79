"""HTTP methods, and the hints of tools that they imply (RFC 9110 9.2, RFC 10008)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Hint = tuple[str, bool]


class Method(NamedTuple):
    """What an HTTP method promises, and the tool hints that would contradict it."""

    is_safe: bool = False
    is_idempotent: bool = False
    """It writes, and may be repeated."""
    never: tuple[Hint, ...] = ()
    """Hints by which a call would look safer than it is."""
    odd: tuple[Hint, ...] = ()
    """Hints that are not what the method means."""


_READS = Method(True, odd=(("readOnlyHint", False),))
_WRITES = ("readOnlyHint", True)
_REPEATABLE = (("idempotentHint", False),)
METHODS: Mapping[str, Method] = {
    "GET": _READS,
    "HEAD": _READS,
    "OPTIONS": _READS,
    "QUERY": _READS,
    "TRACE": Method(),
    "POST": Method(),
    "PUT": Method(False, True, (_WRITES,), _REPEATABLE),
    "PATCH": Method(False, False, (_WRITES,)),
    "DELETE": Method(False, True, (_WRITES, ("destructiveHint", False)), _REPEATABLE),
}
OTHER = Method()
"""What any other method promises: nothing."""


def is_safe(method: str) -> bool:
    """Whether a method promises to change nothing."""
    return METHODS.get(method, OTHER).is_safe
