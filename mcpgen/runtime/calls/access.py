"""Decides which tools a caller may see and call: by switches, scopes and the hook `may_use`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

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
NARROWED = "mcp_narrowed"
"""In the ASGI scope of a request: the switches of its client, those of each source."""
_MAX_SWITCHES = 100
"""Sets of switches whose tools are remembered."""


class Access:
    """The rules on which tools are switched off, and which scopes a tool needs.

    A tool may have several sets of scopes: a caller needs all scopes of any one set. A tool that is
    off does not exist for the caller. A tool whose scopes the caller lacks is neither listed nor
    found, but the error of a call names the missing scopes.
    """

    @classmethod
    def of(cls, server: ServerParts) -> Access:
        """The access rules of a server, created on first use.

        Raises:
            ConfigurationError: a switch names something that does not exist.
        """
        if cls not in server.kept:
            alternatives = {}
            if server.settings.tells_scopes:
                with suppress(FileNotFoundError):
                    alternatives = read_json(server.package, FILE)
            server.kept[cls] = cls(alternatives, server)
        kept: Access = server.kept[cls]
        return kept

    def __init__(
        self, alternatives: Mapping[str, Sequence[Sequence[str]]], server: ServerParts
    ) -> None:
        self._own = {
            name: [frozenset(scopes) for scopes in each] for name, each in alternatives.items()
        }
        self._needed = self._own
        self._server = server
        self.tools: Callable[[], Iterable[Mapping[str, Any]]] = lambda: server.catalogue.tools
        """All tools that there are, on or off."""
        self._left: dict[Switches, frozenset[str]] = {}
        self.also: Callable[[Any, str], bool] | None = None
        """What a part says: whether a tool is there for an HTTP request, or for a message without.
        """
        settings = server.settings
        self._started = tuple(filter(None, [Switches(settings.read_only, settings.only_tools)]))
        for switches in self._started:
            problems = [*switches.unknown(self.tools(), self._slugs())]
            variable = f"{server.api.env_prefix}_ONLY_TOOLS"
            told = f"--only-tools (or {variable}): {'; '.join(problems)}"
            if problems and not server.may_change:
                raise ConfigurationError(told)
            if problems:
                logger.warning("%s; it may be added later", told)

    def unknown(self, request: Any) -> Iterator[str]:
        """A message for each name in a client's switches that is neither a tool's nor a group's."""
        for switches in _of_client(request):
            tools = (tool for tool in self.tools() if self._is_there(request, tool["name"]))
            yield from switches.unknown(tools, self._slugs())

    def _slugs(self) -> Iterator[str]:
        """The slugs of the groups of each prompt and skill that the server's switches leave on."""
        for names in self._groups.values():
            for slugs in names.values():
                if all(each.leave_group(slugs) for each in self._started):
                    yield from slugs

    @cached_property
    def _groups(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        with suppress(FileNotFoundError):
            return read_json(self._server.package, _GROUPS)
        return {}

    def heed(self) -> None:
        """Forget which tools are on, since the list of tools has changed."""
        self._left.clear()

    def __bool__(self) -> bool:
        """Whether any tool may be withheld from at least some callers."""
        return bool(self._needed or self._started or self.also)

    def narrows(self, request: Any) -> bool:
        """Whether any tool may be withheld from the sender of this request."""
        return bool(self) or bool(_of_client(request))

    def caching(self, request: Any) -> dict[str, str]:
        """The cache fields of a list; empty unless the list depends on the caller."""
        return {"cacheScope": "private"} if self._needed or _of_client(request) else {}

    @property
    def has_scopes(self) -> bool:
        """Whether any tool needs scopes."""
        return bool(self._needed)

    def said(self, request: Any) -> str:
        """A sentence for agents about the tools that are off for the caller; empty if all
        are on.
        """
        return " ".join(each.said for each in self._switches(request))

    def unknown_tool(self, request: Any, name: str) -> MCPError:
        """The error for a call of a tool that does not exist or is off."""
        more = f". {said}" if (said := self.said(request)) else ""
        return MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {name[:200]}{more}")

    def _switches(self, request: Any) -> tuple[Switches, ...]:
        return (*self._started, *_of_client(request))

    def _left_by(self, switches: Switches) -> frozenset[str]:
        """The names of the tools that these switches leave on. The result is cached."""
        left = self._left.get(switches)
        if left is None:
            left = frozenset(tool["name"] for tool in self.tools() if switches.leave(tool))
            if len(self._left) >= _MAX_SWITCHES:
                self._left.clear()
            self._left[switches] = left
        return left

    def demand(self, tool: str, scopes: Iterable[str] | None) -> None:
        """Require these scopes for a tool from now on; None restores the package's scopes."""
        own = self._own.get(tool, []) if scopes is None else [frozenset(scopes)]
        others = {name: each for name, each in self._needed.items() if name != tool}
        self._needed = {**others, tool: own} if any(own) else others

    def allows(self, request: Any, tool: str) -> bool:
        """Whether the sender may see a tool; `request` is None if there is no HTTP request."""
        return self.is_on(request, tool) and self.is_in_scope(Caller.of(request), tool)

    def is_on(self, request: Any, tool: str) -> bool:
        """Whether a tool is on for the sender of a request; scopes are not checked."""
        own = _of_client(request)
        return self._is_there(request, tool) and all(tool in self._left_by(each) for each in own)

    def _is_there(self, request: Any, tool: str) -> bool:
        """Whether a tool is on for the caller, ignoring the switches in the client's request."""
        return self._is_started(tool) and (self.also is None or self.also(request, tool))

    def has(self, request: Any, kind: str, name: str) -> bool:
        """Whether the prompt or skill `name` is on; `kind` is `prompts` or `skills`."""
        switches = self._switches(request)
        if not switches:
            return True
        groups = self._groups.get(kind, {}).get(name, ())
        return all(each.leave_group(groups) for each in switches)

    def is_in_scope(self, caller: Caller, tool: str) -> bool:
        """Whether a caller has the scopes of a tool."""
        needed = self._needed.get(tool)
        scopes = caller.scopes
        return needed is None or scopes is None or any(each <= scopes for each in needed)

    def lacking(self, request: Any, tool: str) -> str:
        """The message about a tool's missing scopes; empty if the caller has all of them."""
        caller = Caller.of(request)
        if self.is_in_scope(caller, tool) or not self.is_on(request, tool):
            return ""
        named = ", ".join(f"`{each}`" for each in self.challenge(caller, tool))
        return f"`{tool}` needs scopes that your token lacks: {named}. Nothing was done."

    def challenge(self, caller: Caller, tool: str) -> list[str]:
        """The scopes to ask for.

        A tool may accept several sets of scopes: this is the set of which the caller lacks fewest.
        """
        had = caller.scopes or frozenset()
        needed: list[frozenset[str]] = self._needed.get(tool) or [frozenset()]
        fewest = min(needed, key=lambda each: len(each - had))
        return sorted(fewest)

    def scopes(self, more: Iterable[str]) -> list[str]:
        """All scopes of tools that are on, and those in `more`."""
        needed = {name: each for name, each in self._needed.items() if self._is_started(name)}
        every = (scope for each in needed.values() for scopes in each for scope in scopes)
        return sorted({*every, *more})

    def _is_started(self, tool: str) -> bool:
        return all(tool in self._left_by(switches) for switches in self._started)


def _of_client(request: Any) -> tuple[Switches, ...]:
    """The switches that the client sets in an HTTP request."""
    scope: Mapping[str, Any] = getattr(request, "scope", None) or {}
    switches: tuple[Switches, ...] = scope.get(NARROWED, ())
    return switches
