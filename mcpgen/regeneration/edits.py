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
from ..merge.snapshot import IMPORTS, snapshot
from ..naming import KnownNames
from . import textfile
from .ownership import is_handlers


@dataclass(frozen=True)
class Edits:
    """Names that people gave, and handlers that they changed."""

    functions: Mapping[str, str] = field(default_factory=dict)
    """The function of each tool whose handler has another name than we gave it."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """The tag of each tool whose handler was edited: it stays in the module where it is."""
    taken: frozenset[str] = frozenset()
    """Names of people's own definitions in the modules of handlers."""
    mentioned: frozenset[str] = frozenset()
    """Names that people's code uses."""


def scan(folder: Path, lock: Lock) -> Edits:
    """Read the modules of handlers in a server's folder that differ from what we wrote.

    Raises GenerationError, with line and column, for one that does not parse.
    """
    tags = {module: tag for tag, module in lock.modules.items()}
    functions: dict[str, str] = {}
    homes: dict[str, str] = {}
    taken: set[str] = set()
    mentioned: set[str] = set()
    for path, base in lock.definitions.items():
        if not is_handlers(path) or not (folder / path).is_file():
            continue
        data = (folder / path).read_bytes()
        if locks.digest(data) == lock.files.get(path):
            continue
        text = _text(folder / path, data)
        mentioned |= _mentioned(text)
        tag = tags.get(Path(path).stem)
        for key, parts in snapshot(text).items():
            if key == IMPORTS:
                taken |= set(parts) - set(base.get(IMPORTS, {}))
            elif key not in base:
                taken.add(parts.get("name") or key.split(" ")[-1 if key[-1] != "=" else 0])
            elif key.startswith("tool "):
                tool = key.removeprefix("tool ")
                if parts["name"] != base[key].get("name"):
                    functions[tool] = parts["name"]
                if parts["whole"] != base[key].get("whole") and tag is not None:
                    homes[tool] = tag
    taken -= {*lock.functions.values(), *functions.values()}
    return Edits(functions, homes, frozenset(taken), frozenset(mentioned))


def settled(api: Api, lock: Lock, edits: Edits) -> Api:
    """The API with the tools whose handlers were edited at the tags where these are."""
    homes = _after(api, lock, {**lock.homes, **edits.homes})
    tools = (replace(t, tag=homes[t.name]) if t.name in homes else t for t in api.tools)
    return replace(api, tools=tuple(tools))


def known_names(api: Api, lock: Lock, edits: Edits) -> KnownNames:
    """The names that stay: those of the lock, and over them those that people gave.

    A handler whose operation got another name takes it too, unless somebody named it, or calls it.
    """
    functions = dict(lock.functions)
    for tool in api.tools:
        old = lock.tools.get(locks.operation(tool))
        if old is not None and old != tool.name and functions.get(old) in edits.mentioned:
            functions[tool.name] = functions.pop(old)
    functions |= _after(api, lock, {**lock.named, **edits.functions})
    return KnownNames(
        lock.server, lock.modules, functions, lock.keywords, lock.classes, edits.taken
    )


def noted(lock: Lock, before: Api, after: Api, known: Lock, edits: Edits) -> Lock:
    """The lock with what people decided; `before` and `after` are the API around `settled`."""
    tags = {tool.name: tool.tag for tool in before.tools}
    return replace(
        lock,
        named=_after(after, known, {**known.named, **edits.functions}),
        homes={t.name: t.tag for t in after.tools if t.tag != tags[t.name]},
    )


def _after(api: Api, lock: Lock, before: Mapping[str, str]) -> dict[str, str]:
    """What is known by tools as they were called, by what they are called now."""
    found = {}
    for tool in api.tools:
        old = lock.tools.get(locks.operation(tool), tool.name)
        if old in before:
            found[tool.name] = before[old]
    return found


def _text(path: Path, data: bytes) -> str:
    try:
        text = textfile.read(data, python=True).text
        ast.parse(text)
    except SyntaxError as error:
        place = Location(str(path), error.lineno or 1, error.offset or 1)
        raise GenerationError.of(
            "handler-syntax",
            f"{path} does not parse: {error.msg}; nothing was changed",
            hint="Mend the file, or restore it from version control.",
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
