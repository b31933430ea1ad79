"""Determines the parts and the runtime that a server needs after people's edits are merged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from ..bundled.closure import closure, exports, source
from ..bundled.parts import needs, used, with_needs
from ..merge import named_parts
from ..runtime import HOMES, PARTS
from .notes import Note

FOLDER = "/_runtime/"
_SERVER = "server.py"


Texts = Callable[[str], str | None]
"""The text of a file after the run; None if there is none."""


def split(files: Mapping[str, str | bytes]) -> tuple[str, dict[str, str | bytes]]:
    """A server's import package, and its files except `server.py` and the runtime."""
    contract = "/tools.json"
    package = next((p.removesuffix(contract) for p in files if p.endswith(contract)), "")
    ours = {p: t for p, t in files.items() if not is_runtime(p) and p != f"{package}/{_SERVER}"}
    return package, ours


def is_runtime(path: str) -> bool:
    """Whether a file belongs to the runtime."""
    return FOLDER in path


def server_module(text: str, edited: Iterable[str]) -> str:
    """The generated `server.py`, with the parts added that the `edited` modules use."""
    there = named_parts.find(text)
    if there is None:
        return text
    more = {part for each in edited for part in used(each)}
    return named_parts.naming(text, with_needs({*there.names, *more}), PARTS)


def problems(path: str, text: str) -> list[Note]:
    """The problems with the `parts` that a `server.py` names: unknown parts, and missing ones."""
    there = named_parts.find(text)
    if there is None or there.is_earlier:
        return []
    place = f"{path}:{there.line}"
    own = {name for name in there.names if f"import {name}" in text}
    notes = []
    for name in there.names:
        if name not in PARTS and name not in own and name in HOMES:
            notes.append(Note(place, f"`{name}` is not a part; the parts are {', '.join(PARTS)}"))
        missing = [each for each in needs(name) if each not in there.names] if name in PARTS else []
        if missing:
            text = " and ".join(f"`{each}`" for each in missing)
            notes.append(Note(place, f"the part `{name}` needs {text}: add {text} to `parts`"))
    return notes


def runtime(
    package: str, files: Mapping[str, str | bytes], own: Collection[str], after: Texts
) -> dict[str, str]:
    """The modules of the vendored runtime that the server's own modules will import once this run
    of mcpgen has written them.
    """
    paths = {path for path in (*files, *own) if path.endswith(".py") and not is_runtime(path)}
    modules = closure(text for path in sorted(paths) if (text := after(path)) is not None)
    folder = f"{package}{FOLDER}"
    copied = {f"{folder}{path}": source(path) for path in modules if path != "__init__.py"}
    return {f"{folder}__init__.py": exports(modules), **copied}
