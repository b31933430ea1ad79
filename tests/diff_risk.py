"""How much the changes of a diff matter, as its tests judge them."""

from collections.abc import Iterable

from mcpgen.diff.changes import Change, Risk

NOTES = {"order-changed", "schema-rewritten"}
"""Codes of changes that no caller needs to care about."""


def worst_of(changes: Iterable[Change]) -> Risk | None:
    return max((each.risk for each in changes if each.code not in NOTES), default=None)
