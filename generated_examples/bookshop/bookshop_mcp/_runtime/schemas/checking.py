"""The state of one validation: its budget of work, and cached results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

_CHECK: ContextVar[Check] = ContextVar("check")
_FRAMES = 600
"""Frames of Python's stack at which a value counts as too deep."""


class Exhausted(Exception):
    """The validation took too many steps."""


class TooDeep(Exception):
    """The value is nested deeper than the stack allows."""


@dataclass(slots=True)
class Check:
    """The state while one value is checked."""

    steps: int
    root: Any
    """The schema that `#` stands for."""
    explaining: bool = False
    """Whether every problem is wanted, or only whether there is one."""
    certain: bool = False
    """Whether a value must fit for certain: what is not enforced then counts as broken."""
    overlapping: bool = False
    """Whether a value may fit several branches of a `oneOf` that it cannot fit alone."""
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Whether a value fits a reference, by the schema that holds it, the value, and `certain`."""
    choices: dict[int, tuple[Any, frozenset[Any]]] = field(default_factory=dict)
    """The values of each `enum`, hashed."""
    open: set[tuple[int, int]] = field(default_factory=set)
    """References that are being explained."""
    branching: int = 0

    def step(self, count: int = 1) -> None:
        """Count a step; raises Exhausted after too many, and TooDeep at too great a depth.

        RecursionError would be too late: inside `referencing` it panics in a Rust map, which no
        `except Exception` catches.
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
    """The check that is running."""
    return _CHECK.get()


def is_valid(validator: Any, instance: Any, schema: Any, *, certain: bool | None = None) -> bool:
    """Whether the value fits a subschema; `certain`, if given, holds for this check alone."""
    check = current()
    before = check.certain
    check.certain = before if certain is None else certain
    try:
        return check.is_valid(lambda: validator.descend(instance, schema))
    finally:
        check.certain = before


@contextmanager
def checking(check: Check) -> Iterator[None]:
    """Make `check` the current one inside the block."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)
