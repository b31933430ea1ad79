"""Which tools whoever asks may see and call: the one place for switches, scopes and `may_use`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..values.settings import ConfigurationError
from .caller import Caller
from .catalogue import read_json
from .switches import Switches

if TYPE_CHECKING:
    from .server import ServerParts

logger = logging.getLogger(__name__)

FILE = "access.json"
_GROUPS = "groups.json"
"""The groups of prompts and skills."""


class Access:
    """What is off, by whatever; and scopes by tool: alternatives, of which one must be had whole.

    What is off is nowhere. A tool whose scope is missing is neither listed nor found, but a call of
    it is told so.
    """

    @classmethod
    def of(cls, server: ServerParts) -> Access:
        """That of a server.

        Raises:
            ConfigurationError: a switch names what is not there.
        """
        if cls not in server.kept:
            alternatives = {}
            if server.settings.tells_scopes:
                with suppress(FileNotFoundError):
                    alternatives = read_json(server.package, FILE)
            access = server.kept[cls] = cls(alternatives)
            settings = server.settings
            if switches := Switches(settings.read_only, settings.only_tools):
                access._switch(switches, server)
        kept: Access = server.kept[cls]
        return kept

    def __init__(self, alternatives: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._own = {
            name: [frozenset(scopes) for scopes in each] for name, each in alternatives.items()
        }
        self._needed = self._own
        self._switches = Switches()
        self._groups: Mapping[str, Mapping[str, Sequence[str]]] = {}
        self._off: frozenset[str] = frozenset()
        self.also: Callable[[Any, str], bool] | None = None
        """What a part says: whether a tool is there for an HTTP request, or for a message without.
        """

    def _switch(self, switches: Switches, server: ServerParts) -> None:
        self._switches = switches
        with suppress(FileNotFoundError):
            self._groups = read_json(server.package, _GROUPS)
        groups = (
            slug for each in self._groups.values() for slugs in each.values() for slug in slugs
        )
        unknown = [*switches.unknown(server.catalogue.tools, groups)]
        if unknown and not server.may_change:
            variable = f"{server.api.env_prefix}_ONLY_TOOLS"
            raise ConfigurationError(f"--only-tools (or {variable}): {'; '.join(unknown)}")
        for each in unknown:
            logger.warning("%s_ONLY_TOOLS: %s", server.api.env_prefix, each)
        self.heed(server.catalogue.tools)

    def heed(self, tools: Iterable[Mapping[str, Any]]) -> None:
        """Switch off what the server is started without, of all the tools that there are now."""
        if self._switches:
            self._off = frozenset(t["name"] for t in tools if not self._switches.leave(t))

    def __bool__(self) -> bool:
        """Whether any tool may be withheld."""
        return bool(self._needed or self._switches or self.also)

    @property
    def depends(self) -> bool:
        """Whether who asks decides about it."""
        return bool(self._needed or self.also)

    @property
    def has_scopes(self) -> bool:
        """Whether any tool needs scopes."""
        return bool(self._needed)

    @property
    def said(self) -> str:
        """A sentence on what is switched off; empty where nothing is."""
        return self._switches.said

    def demand(self, tool: str, scopes: Iterable[str] | None) -> None:
        """Want these scopes for a tool from now on; None: again those of the package, if any."""
        own = self._own.get(tool, []) if scopes is None else [frozenset(scopes)]
        others = {name: each for name, each in self._needed.items() if name != tool}
        self._needed = {**others, tool: own} if any(own) else others

    def allows(self, request: Any, tool: str) -> bool:
        """Whether the sender of an HTTP request, or of a message without, may see a tool."""
        return self.is_on(request, tool) and self.is_in_scope(Caller.of(request), tool)

    def is_on(self, request: Any, tool: str) -> bool:
        """Whether a tool is on for who asks, scopes aside; so is one that does not exist."""
        return tool not in self._off and (self.also is None or self.also(request, tool))

    def has(self, kind: str, name: str) -> bool:
        """Whether something is on that is no tool, such as one of the `prompts`."""
        return self._switches.leave_group(self._groups.get(kind, {}).get(name, ()))

    def is_in_scope(self, caller: Caller, tool: str) -> bool:
        """Whether a caller has the scopes of a tool."""
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
        """Every scope that some tool needs which is on, and `more`."""
        needed = {name: each for name, each in self._needed.items() if name not in self._off}
        every = (scope for each in needed.values() for scopes in each for scope in scopes)
        return sorted({*every, *more})
