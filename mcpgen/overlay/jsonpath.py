"""Targets as JSONPath (RFC 9535)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError
from jsonpath_rfc9535.query import JSONPathQuery

from ..source.limits import Limits


class PathProblem(Exception):
    """A path that is no JSONPath, or cannot be followed."""


class Match(NamedTuple):
    """A value that a path selects, the keys that lead to it, and what it is in."""

    value: Any
    path: tuple[str | int, ...]
    holder: Any
    """None for the whole document."""

    @property
    def shown(self) -> str:
        """The path as a person would write it."""
        return "$" + "".join(_step(key) for key in self.path)


def _step(key: str | int) -> str:
    if isinstance(key, str) and key.isidentifier():
        return f".{key}"
    return f"[{key!r}]"


class _Environment(JSONPathEnvironment):
    max_recursion_depth = 3 * Limits().max_depth


_ENVIRONMENT = _Environment()


def compiled(path: str) -> JSONPathQuery:
    """The path, ready to be applied; raises PathProblem where it is none."""
    try:
        return _ENVIRONMENT.compile(path)
    except (JSONPathError, RecursionError) as error:
        raise PathProblem(_why(error)) from None


def matches(query: JSONPathQuery, value: Any) -> Sequence[Match]:
    """What a path selects, each value once; raises PathProblem where that goes too deep."""
    try:
        found = {node.location: node for node in query.finditer(value)}
    except (JSONPathError, RecursionError) as error:
        raise PathProblem(_why(error)) from None
    return [
        Match(node.value, path, node.parent.value if node.parent is not None else None)
        for path, node in found.items()
    ]


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    token = error.token if isinstance(error, JSONPathError) else None
    said = str(error.args[0]) if error.args else str(error)
    return said if token is None else f"{said}, at character {token.index + 1}"
