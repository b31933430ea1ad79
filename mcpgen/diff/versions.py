"""The definitions of two versions of a schema: which parts are the same in both."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .joins import text
from .shapes import name

_REFERENCE = re.compile(r'"\$ref": ("(?:[^"\\]|\\.)*")')


class Versions:
    """The old and the new root, which hold the definitions that their parts refer to."""

    def __init__(self, old: Any, new: Any) -> None:
        self.old = old
        self.new = new
        self._same: frozenset[str] | None = None

    def are_identical(self, old: Any, new: Any) -> bool:
        """Whether two parts are written alike, and all that they refer to is."""
        mine = text(old)
        if mine != text(new):
            return False
        if self._same is None:
            self._same = self._unchanged()
        return _references(mine) <= self._same

    def _unchanged(self) -> frozenset[str]:
        """The definitions that are the same in both, with all that they refer to."""
        before, after = (_definitions(root) for root in (self.old, self.new))
        same = {name for name, one in before.items() if after.get(name) == one}
        needs = {name: _references(before[name]) for name in same}
        while lost := {name for name in same if not needs[name] <= same}:
            same -= lost
        return frozenset(same)


def _definitions(root: Any) -> dict[str, str]:
    found = root.get("$defs", {}) if isinstance(root, Mapping) else {}
    return {name: text(schema) for name, schema in found.items()}


def _references(written: str) -> set[str]:
    return {name(json.loads(found)) for found in _REFERENCE.findall(written)}
