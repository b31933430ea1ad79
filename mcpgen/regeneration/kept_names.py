"""The names and modules that handlers keep: people's own choices first, then those in the lock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from .. import lock as locks
from .. import python_names
from ..api import Api, Tool
from ..lock import Lock
from ..merge.snapshot import HANDLER, IMPORTS, Snapshot, is_edited, keys_now
from ..python_names import KnownNames
from .edits import Edits
from .ownership import is_handlers

Fact = TypeVar("Fact")


class Decided(Struct, frozen=True):
    """The names and modules of an existing server's handlers."""

    api: Api
    """The API; tools whose handlers were edited have the tags of the handlers' modules."""
    names: KnownNames
    named: Mapping[str, str]
    homes: Mapping[str, str]

    def noted(self, lock: Lock) -> Lock:
        """A copy of the new lock, with the names and modules that people chose added."""
        names = {t: name for t, name in self.named.items() if lock.functions.get(t) == name}
        return replace(lock, named=names, homes=self.homes)


def decide(api: Api, lock: Lock, edits: Edits) -> Decided:
    """Decide which names and modules handlers keep, from the lock and from people's edits."""
    before = _Before(api, lock, edits)
    settled = replace(api, tools=tuple(before.settled(tool) for tool in api.tools))
    pairs = zip(settled.tools, api.tools, strict=True)
    homes = {tool.name: tool.tag for tool, read in pairs if tool.tag != read.tag}
    functions = before.functions(settled)
    return Decided(settled, before.names(functions), functions.named, homes)


class _Functions(Struct):
    """For each tool, the handler function whose name is kept."""

    given: dict[str, str] = field(default_factory=dict)
    """The functions in modules that people edited."""
    written: dict[str, str] = field(default_factory=dict)
    """The functions in modules that only mcpgen wrote."""
    named: dict[str, str] = field(default_factory=dict)
    """The functions of either kind that a person named."""
    modules: dict[str, str] = field(default_factory=dict)
    """The module of each tool."""


class _Before:
    """What the server contained after it was last generated, by its tools' current names."""

    def __init__(self, api: Api, lock: Lock, edits: Edits) -> None:
        now = {locks.operation(tool): tool.name for tool in api.tools}
        self._keys = keys_now(lock.tools, now, lock.contents, locks.contents(api.tools))
        self._renamed = set(self._keys.values())
        self._lock = lock
        self._offers = locks.offers_now(lock, api)
        self._edits = edits
        self._own_names = self._of_tools(lock.named)
        self._homes = self._of_tools(lock.homes)
        self._functions = self._of_tools(lock.functions)
        self._there = {module: self._keyed(snapshot) for module, snapshot in edits.modules.items()}
        self._written = {
            Path(path).stem: self._keyed(snapshot)
            for path, snapshot in lock.definitions.items()
            if is_handlers(path)
        }
        self._modules = dict(lock.modules)
        self._tags = {module: tag for tag, module in lock.modules.items()}
        self._written_in, self._there_in = (_places(p) for p in (self._written, self._there))
        for tool in api.tools:
            self._find_module(tool)

    def _keyed(self, facts: Mapping[str, Fact]) -> dict[str, Fact]:
        return {self._keys.get(key, key): fact for key, fact in facts.items()}

    def _of_tools(self, facts: Mapping[str, Fact]) -> dict[str, Fact]:
        keyed = self._keyed({f"{HANDLER}{tool}": fact for tool, fact in facts.items()})
        return {key.removeprefix(HANDLER): fact for key, fact in keyed.items()}

    def _find_module(self, tool: Tool) -> None:
        """If a tool's tag has no module, use the module that still has the tool's edited
        handler.
        """
        module = self._home(f"{HANDLER}{tool.name}")
        if module and module not in self._tags and tool.tag not in self._modules:
            self._tags[module] = tool.tag
            self._modules[tool.tag] = module

    def settled(self, tool: Tool) -> Tool:
        """The tool, with its tag replaced by that of the module in which its handler stays."""
        home = self._homes.get(tool.name, tool.tag)
        tag = self._tags.get(self._home(f"{HANDLER}{tool.name}"), home)
        return tool if tag == tool.tag else replace(tool, tag=tag)

    def _home(self, key: str) -> str:
        """The module in which a person edited, moved or uses a handler; else empty."""
        module = self._written_in.get(key, "")
        if module in self._edits.untouched:
            return ""
        if key not in self._there.get(module, {}):
            if self._is_bound(module, key):
                return module
            module = self._there_in.get(key, "")
        return module if module and self._stays(module, key) else ""

    def _stays(self, module: str, key: str) -> bool:
        """Whether people's code wrote, edited or uses the definition `key` of a module."""
        base = self._written.get(module, {}).get(key)
        there = self._there[module][key]
        is_named = key.removeprefix(HANDLER) in self._own_names
        used = there.get("name") in self._edits.used.get(module, ())
        return base is None or is_named or used or is_edited(base, there)

    def _is_bound(self, module: str, key: str) -> bool:
        """Whether a person binds a handler's name other than by a top-level function, such as in an
        `if`.
        """
        name = self._functions.get(key.removeprefix(HANDLER))
        elsewhere = key in self._there_in
        return name in self._edits.bound.get(module, ()) and not elsewhere

    def _is_gone(self, key: str) -> bool:
        """Whether no module has the handler any more; then the name that a person chose is
        dropped.
        """
        is_untouched = self._written_in.get(key) in self._edits.untouched
        return not is_untouched and key not in self._there_in

    def functions(self, api: Api) -> _Functions:
        """The functions of the tools that exist already, or once existed.

        If a tool was renamed, its function is renamed too, unless a person chose the function's
        name or uses it in other code.
        """
        modules = python_names.modules(api, self._modules)
        functions = _Functions(modules={tool.name: modules[tool.tag] for tool in api.tools})
        for tool, module in functions.modules.items():
            key = f"{HANDLER}{tool}"
            there = self._there.get(module, {}).get(key)
            ours = self._functions.get(tool)
            name = there["name"] if there is not None else ours
            if name is None or (tool in self._own_names and self._is_gone(key)):
                continue
            own = tool in self._own_names or (name != ours and name != python_names.function(tool))
            if own:
                functions.named[tool] = name
            stays = name in self._edits.mentioned or self._is_bound(module, key)
            if own or key not in self._renamed or stays:
                names = functions.written if there is None else functions.given
                names[tool] = name
        return functions

    def names(self, functions: _Functions) -> KnownNames:
        """The names that stay; a function loses its name if people's code in its new module has the
        name already.
        """
        modules = set(functions.modules.values())
        taken = {module: self._taken(module, functions) for module in modules}
        written = {
            tool: name
            for tool, name in functions.written.items()
            if name not in taken[functions.modules[tool]]
        }
        lock = self._lock
        return KnownNames(
            server="" if "" in lock.chosen else lock.server,
            modules=self._modules,
            functions=written,
            keywords=self._of_tools(lock.keywords),
            classes=lock.classes,
            offers=self._offers,
            given=functions.given,
            api_module=self._edits.api_module,
            taken=frozenset().union(*taken.values()).difference(written.values()),
        )

    def _taken(self, module: str, functions: _Functions) -> set[str]:
        """The names that a module will certainly have after this run of mcpgen."""
        written = self._written.get(module, {})
        names: set[str] = set()
        for key, parts in self._there.get(module, {}).items():
            tool = key.removeprefix(HANDLER)
            if key == IMPORTS:
                names |= parts.keys() - written.get(IMPORTS, {}).keys()
            elif key.startswith(HANDLER) and functions.modules.get(tool) == module:
                if tool in functions.given:
                    names.add(functions.given[tool])
            elif self._stays(module, key):
                names.add(parts.get("name") or key.removeprefix("class ").removesuffix(" ="))
        return names


def _places(modules: Mapping[str, Snapshot]) -> dict[str, str]:
    """The first module that contains each definition, by the definition's key."""
    pairs = [(key, module) for module, snapshot in modules.items() for key in snapshot]
    return dict(reversed(pairs))
