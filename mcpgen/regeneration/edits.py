"""What people did to the handlers, as far as naming and planning must know it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from .. import lock as locks
from ..api import Api
from ..diagnostics import GenerationError, Location
from ..lock import Lock
from ..merge.snapshot import HANDLER, IMPORTS, Snapshot, handler_keys, snapshot
from ..naming import KnownNames
from . import textfile
from .ownership import is_handlers


@dataclass(frozen=True)
class Edits:
    """Names that people gave, and handlers that they changed."""

    functions: Mapping[str, str] = field(default_factory=dict)
    """The function of each tool whose handler has another name than we gave it."""
    handlers: Mapping[str, str] = field(default_factory=dict)
    """The function of each tool, also of one that left, whose handler was edited or moved."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """The tags of those tools: their handlers stay in the modules where they are."""
    own: Mapping[str, set[str]] = field(default_factory=dict)
    """Names of people's own definitions in the modules of handlers, by tag."""
    taken: frozenset[str] = frozenset()
    """Those of them, and of imports, that are no handler's in any module."""
    mentioned: frozenset[str] = frozenset()
    """Names that people's code uses."""


def scan(folder: Path, lock: Lock) -> Edits:
    """Read the modules of handlers in a server's folder that differ from what we wrote.

    Raises GenerationError, with line and column, for one that does not parse.
    """
    written = {key: parts for found in lock.definitions.values() for key, parts in found.items()}
    tags = {module: tag for tag, module in lock.modules.items()}
    edited = _edited(folder, lock, written)
    moved = _moved(folder, lock, edited)
    functions: dict[str, str] = {}
    handlers: dict[str, str] = {}
    homes: dict[str, str] = {}
    own: dict[str, set[str]] = {}
    taken: set[str] = set()
    for path, module in edited.items():
        base, tag = lock.definitions[path], tags.get(Path(path).stem)
        taken |= set(module.found[IMPORTS]) - set(base.get(IMPORTS, {}))
        for key, parts in module.found.items():
            if key.startswith(HANDLER) and (key in base or moved.get(key) == path):
                tool, before = key.removeprefix(HANDLER), written.get(key, parts)
                if parts["name"] != before["name"]:
                    functions[tool] = parts["name"]
                if parts["whole"] != before["whole"] or key in moved:
                    handlers[tool] = parts["name"]
                    homes |= {tool: tag} if tag is not None else {}
            elif key not in base and key != IMPORTS:
                name = parts.get("name") or key.split(" ")[-1 if key[-1] != "=" else 0]
                own.setdefault(tag or "", set()).add(name)
    taken = taken.union(*own.values()) - {*lock.functions.values(), *functions.values()}
    mentioned = {name for module in edited.values() for name in module.mentioned}
    return Edits(functions, handlers, homes, own, frozenset(taken), frozenset(mentioned))


@dataclass(frozen=True)
class _Module:
    """A module of handlers that somebody edited."""

    found: Snapshot
    mentioned: set[str]


def _edited(folder: Path, lock: Lock, written: Snapshot) -> dict[str, _Module]:
    modules: dict[str, _Module] = {}
    for path in lock.definitions:
        if not is_handlers(path) or not (folder / path).is_file():
            continue
        data = (folder / path).read_bytes()
        if locks.digest(data) != lock.files.get(path):
            text = _text(folder / path, data)
            found = snapshot(text)
            keys = handler_keys(found, written)
            found = {keys.get(key, key): parts for key, parts in found.items()}
            modules[path] = _Module(found, _mentioned(text))
    return modules


def _moved(folder: Path, lock: Lock, edited: Mapping[str, _Module]) -> dict[str, str]:
    """Where each handler is that is no longer in the module that we wrote it to, or in none."""
    homes = {key: path for path, found in lock.definitions.items() for key in found}
    moved: dict[str, str] = {}
    for path, module in edited.items():
        for key in module.found:
            home = homes.get(key, "")
            there = key in edited[home].found if home in edited else (folder / home).is_file()
            if key.startswith(HANDLER) and not there:
                moved.setdefault(key, path)
    return moved


def settled(api: Api, lock: Lock, edits: Edits) -> Api:
    """The API with the tools whose handlers were edited at the tags where these are."""
    homes = _after(api, lock, {**lock.homes, **edits.homes})
    tools = (replace(t, tag=homes[t.name]) if t.name in homes else t for t in api.tools)
    return replace(api, tools=tuple(tools))


def known_names(api: Api, lock: Lock, edits: Edits) -> KnownNames:
    """The names that stay: those of the lock, and over them those that people gave.

    A handler whose operation got another name takes it too, unless somebody named it, or calls it.
    One that was kept when its tool left is there for it when it comes back.
    """
    functions = {**edits.handlers, **lock.functions}
    for tool in api.tools:
        old = lock.tools.get(locks.operation(tool))
        if old is not None and old != tool.name and functions.get(old) in edits.mentioned:
            functions[tool.name] = functions.pop(old)
    given = _after(api, lock, {**lock.named, **edits.functions})
    functions = {t: name for t, name in functions.items() if name not in given.values()} | given
    served = {lock.tools.get(locks.operation(tool), tool.name) for tool in api.tools}
    left = {name for tool, name in edits.handlers.items() if tool not in served}
    met = left | _met(api, lock, edits, functions)
    functions = {tool: name for tool, name in functions.items() if name not in met}
    taken = edits.taken - {functions.get(tool.name) for tool in api.tools} | met
    return KnownNames(lock.server, lock.modules, functions, lock.keywords, lock.classes, taken)


def _met(api: Api, lock: Lock, edits: Edits, functions: Mapping[str, str]) -> set[str]:
    """Names that handlers would get which something of a person's has where they are to be."""
    modules = {Path(p).stem: found for p, found in lock.definitions.items() if is_handlers(p)}
    met: set[str] = set()
    for tool in api.tools:
        old = lock.tools.get(locks.operation(tool), tool.name)
        there = modules.get(lock.modules.get(tool.tag, ""), {}).get(f"{HANDLER}{old}", {})
        name = functions.get(tool.name, "")
        if name in edits.own.get(tool.tag, ()) and name != there.get("name"):
            met.add(name)
    return met


def noted(lock: Lock, before: Api, after: Api, known: Lock, edits: Edits) -> Lock:
    """The lock with what people decided; `before` and `after` are the API around `settled`."""
    tags = {tool.name: tool.tag for tool in before.tools}
    return replace(
        lock,
        named=_after(after, known, {**known.named, **edits.functions}),
        homes={t.name: t.tag for t in after.tools if t.tag != tags[t.name]},
    )


def _after(api: Api, lock: Lock, before: Mapping[str, str]) -> dict[str, str]:
    """What is known by tools as they were called, by what they are called now.

    A new operation that has the name of another one, which is still there, is not that tool.
    """
    known = {tool.name: lock.tools.get(locks.operation(tool)) for tool in api.tools}
    found = {}
    for name, old in known.items():
        if old is None and name not in known.values():
            old = name
        if old is not None and old in before:
            found[name] = before[old]
    return found


def _text(path: Path, data: bytes) -> str:
    try:
        text = textfile.read(data, python=True).text
        ast.parse(text)
    except SyntaxError as error:
        place = Location(str(path), error.lineno or 1, error.offset or 1)
        marks = b"\n<<<<<<< " in data and b"\n>>>>>>> " in data
        chosen = "Choose between its marks of a conflict" if marks else "Mend the file"
        raise GenerationError.of(
            "handler-syntax",
            f"{path} does not parse: {error.msg}; nothing was changed",
            hint=f"{chosen}, or restore it from version control.",
            location=place,
        ) from None
    except ValueError as error:
        raise GenerationError.of(
            "handler-encoding",
            f"{path} cannot be read: {error}; nothing was changed",
            location=Location(str(path), 1, 1),
        ) from None
    return text


def _mentioned(text: str) -> set[str]:
    """The names that a module's code refers to; a definition alone is no mention of its name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found
