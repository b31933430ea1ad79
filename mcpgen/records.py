"""Values that are never changed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A dataclass that is frozen for type checkers, not at run time.

    Freezing there makes each class take twice as long to be made, and each value three times: a
    command line makes hundreds of such classes before it does anything, and thousands of values.
    For the same reason what a class has besides `__init__` is not compiled for it alone.
    """
    cls.__doc__ = cls.__doc__ or cls.__name__  # else made up from the signature
    made: Any = dataclass(repr=False, eq=False)(cls)
    compared = attrgetter(*(each.name for each in fields(made) if each.compare))

    def equals(self: Any, other: object) -> Any:
        same_class = other.__class__ is self.__class__
        return compared(self) == compared(other) if same_class else NotImplemented

    made.__eq__ = equals
    made.__hash__ = lambda self: hash(compared(self))
    made.__repr__ = _shown
    return cls


def _shown(self: Any) -> str:
    named = (each.name for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(f'{n}={getattr(self, n)!r}' for n in named)})"
