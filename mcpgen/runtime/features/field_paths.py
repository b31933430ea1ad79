"""Paths of fields in a JSON value: the part of JSONPath (RFC 9535) that a schema can follow.

`$.customer.email`, `$.items[*].price`, `$['odd name']`; `*` is every item or member, and `..name` a
member of that name at any depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_STEP = re.compile(
    r"(?P<anywhere>\.)?(?:"
    r"\.(?P<name>[^\s.\[\]'\"*$]+)|\.(?P<any>\*)"
    r"|(?P<bracket>\.?)\[(?:(?P<star>\*)|'(?P<single>[^']+)'|\"(?P<double>[^\"]+)\")\])"
)


@dataclass(frozen=True)
class Step:
    """One step of a path; without a name it is every item or member."""

    name: str | None
    anywhere: bool = False
    """At any depth below."""


Path = tuple[Step, ...]
Places = frozenset[Path]
"""Where a walk is: what is left of each path that leads on from here; `()` is a path's end."""

END: Path = ()


def read_path(text: str) -> Path:
    """Read a path.

    Raises:
        ValueError: it is none; the text says what one looks like.
    """
    steps: list[Step] = []
    position = 1 if text.startswith("$") else len(text) + 1
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None:
            break
        anywhere = bool(found["anywhere"] or found["bracket"])
        name = found["name"] or found["single"] or found["double"]
        if anywhere and name is None:
            break
        steps.append(Step(name, anywhere))
        position = found.end()
    if position != len(text) or not steps:
        raise ValueError("must be a path such as $.customer.email, $.items[*].id or $..token")
    return tuple(steps)


def start(texts: Iterable[str]) -> Places:
    """The places before the first step of paths."""
    return frozenset(read_path(text) for text in texts)


def below(places: Places, key: str | None) -> Places:
    """The places at a member of that name, or at an item where it is None."""
    found: set[Path] = set()
    for path in places:
        if path and (path[0].name is None or path[0].name == key):
            found.add(path[1:])
        if path and path[0].anywhere:
            found.add(path)
    return frozenset(found)
