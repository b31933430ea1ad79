"""People's edits in the handler modules in a server's folder."""

from __future__ import annotations

import ast
from pathlib import Path

from msgspec import Struct, field

from ..diagnostics import GenerationError, Location
from ..lock import Lock
from ..merge import conflict_marks
from ..merge.names_used import bound_in, exported, own_names_in
from ..merge.snapshot import Snapshot, handler_keys, snapshot
from ..paths import in_order
from . import textfile
from .ownership import is_handlers, is_untouched
from .server_folder import ServerFolder


class Edits(Struct):
    """A server's handler modules, edited and untouched, with the names that their code uses."""

    modules: dict[str, Snapshot] = field(default_factory=dict)
    """The definitions in modules that people wrote or edited."""
    untouched: set[str] = field(default_factory=set)
    """The other modules."""
    mentioned: set[str] = field(default_factory=set)
    """Names that people's code uses."""
    used: dict[str, set[str]] = field(default_factory=dict)
    """For each module of people, the names that its code looks up in the module."""
    bound: dict[str, set[str]] = field(default_factory=dict)
    """For each of these modules, the names that it assigns or defines."""
    api_module: str = ""
    """The text of the server's `api.py`."""


def scan(server_folder: ServerFolder, lock: Lock) -> Edits:
    """Read the handler modules of a server, and the modules that people added beside them.

    Raises GenerationError, with line and column, if a module that mcpgen wrote does not parse.
    """
    written = {
        key: parts
        for own_snapshot in lock.definitions.values()
        for key, parts in own_snapshot.items()
    }
    edits = Edits(api_module=_api_module(server_folder, lock))
    for path in _modules(server_folder.folder, lock):
        there = server_folder.content(path)
        name = Path(path).stem
        if there is None:
            continue
        if is_untouched(lock, path, there):
            edits.untouched.add(name)
            continue
        try:
            text = _text(server_folder.folder / path, there.data)
        except GenerationError:
            if path in lock.definitions:
                raise
            continue
        own_snapshot = snapshot(text)
        keys = handler_keys(own_snapshot, lock.definitions.get(path, {}), written)
        edits.modules[name] = {keys.get(key, key): parts for key, parts in own_snapshot.items()}
        edits.mentioned |= _mentioned(text)
        edits.used[name], edits.bound[name] = own_names_in(text), bound_in(text)
    return edits


def _api_module(server_folder: ServerFolder, lock: Lock) -> str:
    path = next((path for path in lock.files if path.endswith("/api.py")), "")
    content = server_folder.content(path) if path else None
    return content.data.decode("utf-8", errors="replace") if content else ""


def _modules(folder: Path, lock: Lock) -> list[str]:
    """The handler modules that mcpgen wrote, then those that people added."""
    ours = [path for path in lock.definitions if is_handlers(path)]
    places = {(folder / path).parent for path in ours} or set(folder.glob("*/handlers"))
    files = in_order(file for place in places for file in place.glob("*.py"))
    beside = (file.relative_to(folder).as_posix() for file in files)
    others = (path for path in beside if is_handlers(path) and path not in ours)
    return [*ours, *others]


def _text(path: Path, data: bytes) -> str:
    try:
        text = textfile.read(data, python=True).text
        bound_in(text)  # looks closer than a parser
    except SyntaxError as error:
        place = Location(str(path), error.lineno or 1, error.offset or 1)
        marked = conflict_marks.place(data.decode(errors="replace")) is not None
        raise GenerationError.of(
            "handler-syntax",
            f"{path} does not parse: {error.msg}; nothing was changed",
            hint=conflict_marks.HINT
            if marked
            else "Correct it, or restore it from version control.",
            location=place,
        ) from None
    except (RecursionError, MemoryError):
        raise GenerationError.of(
            "handler-syntax",
            f"{path} {textfile.TOO_DEEP}; nothing was changed",
            location=Location(str(path), 1, 1),
        ) from None
    except ValueError as error:
        raise GenerationError.of(
            "handler-encoding",
            f"{path} cannot be read: {error}; nothing was changed",
            location=Location(str(path), 1, 1),
        ) from None
    return text


def _mentioned(text: str) -> set[str]:
    """The names that a module uses; defining a name does not count as use."""
    tree = ast.parse(text)
    names = set(exported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return names
