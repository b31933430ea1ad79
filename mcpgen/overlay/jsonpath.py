"""Targets as JSONPath (RFC 9535).

The library takes some 40 ms to load, and few documents have overlays: it loads with the first path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from ..source.limits import Limits

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathEnvironment
    from jsonpath_rfc9535.query import JSONPathQuery


class PathProblem(Exception):
    """A path that is no JSONPath, or cannot be followed."""


_MOST = 1_000_000
"""Values that one path may pass, each as often as it does: a list of selectors repeats them."""


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
    """What a path selects, each value once; raises PathProblem where that goes too deep or far."""
    from jsonpath_rfc9535 import JSONPathError
    from jsonpath_rfc9535.node import JSONPathNode

    passed = count()

    def bounded(nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
        for node in nodes:
            if next(passed) == _MOST:
                raise PathProblem(f"it passes more than {_MOST:,} values")
            yield node

    try:
        found: Iterable[JSONPathNode] = [
            JSONPathNode(value=value, location=(), parent=None, root=value)
        ]
        for segment in query.segments:
            found = bounded(segment.resolve(found))
        nodes = {node.location: node for node in found}
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
