"""Values that are never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A dataclass that is frozen for type checkers, not at run time.

    Freezing there makes each class take twice as long to be made, and each value three times: a
    command line makes hundreds of such classes before it does anything, and thousands of values.
    """
    return dataclass(unsafe_hash=True)(cls)
