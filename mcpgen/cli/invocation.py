"""A parsed command line, before any work is done."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Invocation(Struct, frozen=True):
    """The name of a function in `actions`, and its arguments."""

    function: str
    arguments: dict[str, Any]

    def perform(self) -> int:
        """Run the function; returns the exit code."""
        from . import actions  # brings the generator

        code: int = getattr(actions, self.function)(**self.arguments)
        return code
