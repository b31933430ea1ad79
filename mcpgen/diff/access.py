"""The scopes that a server's callers need over HTTP, from its `access.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from .changes import Change

FILE_NAME = "access.json"
Alternatives = Sequence[Sequence[str]]
Scopes = Mapping[str, Alternatives]
"""By tool; of one alternative, a caller must have all scopes."""


def scopes(data: bytes) -> Scopes:
    """The scopes in a file; empty bytes mean a server without scopes."""
    found: Scopes = json.loads(data) if data else {}
    return found


def changes(old: Scopes, new: Scopes) -> Iterator[Change]:
    """The changes of the scopes that callers of tools need."""
    for tool in {**old, **new}:
        before, after = old.get(tool, []), new.get(tool, [])
        if before != after:
            yield Change("caller-scopes", tool, detail=f"{_words(before)} -> {_words(after)}")


def _words(alternatives: Alternatives) -> str:
    return " or ".join(" and ".join(scopes) for scopes in alternatives) or "none"
