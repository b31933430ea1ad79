"""Which parts of two versions of a schema are the same."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from .roots import Root


class Versions:
    """The old and the new root, with the definitions that their parts refer to."""

    def __init__(self, old: Root, new: Root) -> None:
        self.old = old
        self.new = new

    @cached_property
    def _same(self) -> frozenset[str]:
        return self.old.definitions.same(self.new.definitions)

    def are_identical(self, old: Any, new: Any) -> bool:
        """Whether two parts are equal, and all definitions they refer to as well."""
        before, after = self.old.definitions, self.new.definitions
        return before.text(old) == after.text(new) and before.references(old) <= self._same

    def texts(self, old: Any, new: Any) -> tuple[str, str]:
        """Two parts as keys."""
        return self.old.definitions.text(old), self.new.definitions.text(new)
