"""The targets of overlays as JSONPath (RFC 9535).

The library takes some 40 ms to load, and few documents have overlays. So it is not loaded before
the first path is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..source.sourcefile import measure

if TYPE_CHECKING:
    from jsonpath_rfc9535.query import JSONPathQuery

    from .counted_paths import Environment


class PathProblem(Exception):
    """A string that is not a JSONPath, or a path with too many steps."""


_MIN_STEPS = 1_000_000
_MAX_WALKS = 100
"""How often all paths together may walk through a document that is large."""


class Steps:
    """The steps that are left for the paths of all actions; a selector uses one step for each
    value.
    """

    def __init__(self, document: Any) -> None:
        self.most = self.left = max(_MIN_STEPS, _MAX_WALKS * measure(document)[0])

    def take(self, number: int) -> None:
        """Count steps; raises PathProblem if none are left."""
        self.left -= number
        if self.left < 0:
            raise PathProblem(
                f"the paths of all actions together need more than {self.most:,} steps"
            )


class Match(NamedTuple):
    """A value that a path selects, with its container and the keys that lead to the value."""

    value: Any
    path: tuple[str | int, ...]
    holder: Any
    """None for the whole document."""

    @property
    def text(self) -> str:
        """The path in the notation that a person would write."""
        return "$" + "".join(_step(key) for key in self.path)


def _step(key: str | int) -> str:
    if isinstance(key, str) and key.isidentifier():
        return f".{key}"
    return f"[{key!r}]"


@cache
def _environment() -> Environment:
    from .counted_paths import Environment

    return Environment()


def compiled(path: str) -> JSONPathQuery:
    """The compiled path; raises PathProblem if the text is not a path."""
    from jsonpath_rfc9535 import JSONPathError

    try:
        return _environment().compile(path)
    except (JSONPathError, RecursionError) as error:
        raise PathProblem(_why(error)) from None


def matches(query: JSONPathQuery, value: Any, steps: Steps) -> Sequence[Match]:
    """The values that a path selects, without duplicates; raises PathProblem beyond the limit."""
    from jsonpath_rfc9535 import JSONPathError

    _environment().take = steps.take
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
        return "it is nested too deeply"
    token = getattr(error, "token", None)
    message = str(error.args[0]) if error.args else str(error)
    return message if token is None else f"{message}, at character {token.index + 1}"
