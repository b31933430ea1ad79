"""The state of one check: how much it may still do, and what it has found out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

_FRAMES = 600


class Exhausted(Exception):
    """The check took more steps than it may."""


class TooDeep(Exception):
    """The value is nested deeper than the stack goes."""


@dataclass(slots=True)
class Check:
    """What is known while one value is checked."""

    steps: int
    root: Any = True
    """The schema that `#` stands for."""
    explaining: bool = False
    """Whether every problem is wanted, or only whether there is one."""
    certain: bool = False
    """Whether a value must be known to fit: what is not enforced then counts as broken."""
    overlapping: bool = False
    """Whether a value may fit several branches of a `oneOf` that it cannot fit alone."""
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """What references came to, by the schema that holds the reference, the value, and `certain`."""
    open: set[tuple[int, int]] = field(default_factory=set)
    """References that are being explained."""
    branching: int = 0

    def step(self, count: int = 1) -> None:
        """Count work, and end the check when it was too much or goes too deep.

        A RecursionError is no way to find out: inside `referencing` it ends in a panic of its Rust
        map, which no `except Exception` catches.
        """
        self.steps -= count
        if self.steps < 0:
            raise Exhausted
        try:
            sys._getframe(_FRAMES)
        except ValueError:
            return
        raise TooDeep

    def is_valid(self, errors: Callable[[], Iterable[ValidationError]]) -> bool:
        """Whether there are no errors; none of them is explained."""
        before, self.explaining = self.explaining, False
        try:
            return next(iter(errors()), None) is None
        except Unresolvable:
            # A reference that leads nowhere inside the schema says nothing; it is never fetched.
            return True
        finally:
            self.explaining = before


def current() -> Check:
    """The check that is going on."""
    return _CHECK.get()


def is_valid(validator: Any, instance: Any, schema: Any, *, certain: bool | None = None) -> bool:
    """Whether the value fits a subschema of the validator's, as far as is known or `certain`."""
    check = current()
    before = check.certain
    check.certain = before if certain is None else certain
    try:
        return check.is_valid(lambda: validator.descend(instance, schema))
    finally:
        check.certain = before


_CHECK: ContextVar[Check] = ContextVar("check")


@contextmanager
def checking(check: Check) -> Iterator[None]:
    """Make `check` the one that the keywords below work for."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)
