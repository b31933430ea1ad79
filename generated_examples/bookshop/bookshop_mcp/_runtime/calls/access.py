"""Which tools the scopes of a caller let it see and call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from .caller import Caller
from .catalogue import read_json
from .server import ServerParts

FILE = "access.json"


class Access:
    """Scopes by tool: alternatives, one of which a caller must have whole."""

    @classmethod
    def of(cls, server: ServerParts) -> Access:
        """Those of a server's tools, where callers have any."""
        if cls not in server.kept:
            alternatives = {}
            if server.settings.tells_scopes:
                with suppress(FileNotFoundError):
                    alternatives = read_json(server.package, FILE)
            server.kept[cls] = cls(alternatives)
        access: Access = server.kept[cls]
        return access

    def __init__(self, alternatives: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._own = {
            name: [frozenset(scopes) for scopes in each] for name, each in alternatives.items()
        }
        self._needed = self._own

    def __bool__(self) -> bool:
        return bool(self._needed)

    def demand(self, tool: str, scopes: Iterable[str] | None) -> None:
        """Want these scopes for a tool from now on; None: again those of the package, if any."""
        own = self._own.get(tool, []) if scopes is None else [frozenset(scopes)]
        others = {name: each for name, each in self._needed.items() if name != tool}
        self._needed = {**others, tool: own} if any(own) else others

    def allows(self, caller: Caller, tool: str) -> bool:
        """Whether a caller may see and call a tool."""
        needed = self._needed.get(tool)
        scopes = caller.scopes
        return needed is None or scopes is None or any(each <= scopes for each in needed)

    def challenge(self, caller: Caller, tool: str) -> list[str]:
        """The scopes to ask for: the alternative of which the caller lacks fewest."""
        had = caller.scopes or frozenset()
        needed: list[frozenset[str]] = self._needed.get(tool) or [frozenset()]
        fewest = min(needed, key=lambda each: len(each - had))
        return sorted(fewest)

    def scopes(self, more: Iterable[str]) -> list[str]:
        """Every scope that some tool needs, and `more`."""
        every = (scope for each in self._needed.values() for scopes in each for scope in scopes)
        return sorted({*every, *more})
