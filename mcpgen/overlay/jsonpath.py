"""Targets as JSONPath (RFC 9535).

The library takes some 40 ms to load, and few documents have overlays: it loads with the first path.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..source.limits import Limits

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathEnvironment
    from jsonpath_rfc9535.query import JSONPathQuery


class PathProblem(Exception):
    """A path that is no JSONPath, or cannot be followed."""


class Match(NamedTuple):
    """A value that a path selects, the keys that lead to it, and what it is in."""

    value: Any
    path: tuple[str | int, ...]
    holder: Any
    """None for the whole document."""

    @property
    def text(self) -> str:
        """The path as a person would write it."""
        return "$" + "".join(_step(key) for key in self.path)


def _step(key: str | int) -> str:
    if isinstance(key, str) and key.isidentifier():
        return f".{key}"
    return f"[{key!r}]"


@cache
def _environment() -> JSONPathEnvironment:
    from jsonpath_rfc9535 import JSONPathEnvironment

    environment = JSONPathEnvironment()
    environment.max_recursion_depth = 3 * Limits().max_depth
    return environment


def compiled(path: str) -> JSONPathQuery:
    """The path, ready to be applied; raises PathProblem where it is none."""
    from jsonpath_rfc9535 import JSONPathError

    try:
        return _environment().compile(path)
    except (JSONPathError, RecursionError) as error:
        raise PathProblem(_why(error)) from None


def matches(query: JSONPathQuery, value: Any) -> Sequence[Match]:
    """What a path selects, each value once; raises PathProblem where that goes too deep."""
    from jsonpath_rfc9535 import JSONPathError

    try:
        nodes = {node.location: node for node in query.finditer(value)}
    except (JSONPathError, RecursionError) as error:
        raise PathProblem(_why(error)) from None
    return [
        Match(node.value, path, node.parent.value if node.parent is not None else None)
        for path, node in nodes.items()
    ]


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    token = getattr(error, "token", None)
    message = str(error.args[0]) if error.args else str(error)
    return message if token is None else f"{message}, at character {token.index + 1}"
