"""The difference between an argument that was not given and one that is null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, final


@final
class Unset:
    """The type of `UNSET`: false, equal only to itself, with one instance."""

    _instance: Unset | None = None

    def __new__(cls) -> Unset:
        """The one value."""
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


def if_given(members: Mapping[str, Any]) -> Mapping[str, Any] | Unset:
    """The members of an optional body; `UNSET` if none of them was given."""
    return members if any(value is not UNSET for value in members.values()) else UNSET
