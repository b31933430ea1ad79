"""The messages about people's own code, after the changes are decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from msgspec.structs import replace

from ..lock import Lock
from ..merge.snapshot import HANDLER, MARK
from . import broken_edits, further_requests, lost_imports
from .names_used_elsewhere import Taken, taken
from .notes import Note
from .outcome import Outcome, Read
from .ownership import is_handlers
from .server_folder import Content
from .textfile import code_of, decoded


class Teller:
    """Adds notes for the user to an outcome; `hashes` are those of the generated files."""

    def __init__(self, read: Read, old: Lock, out: Outcome, hashes: Mapping[str, str]) -> None:
        self._read = read
        self._old = old
        self._out = out
        self._hashes = hashes

    def renamed(self, own: Iterable[str], again: Iterable[tuple[Iterable[str], str]]) -> None:
        """Note each module in `own` whose handlers are not called, since a generated module has
        them too.

        `again` lists the modules that were missing and are generated again: the keys of their
        definitions, and what to advise.
        """
        for path, (keys, advised) in product(sorted(own), again):
            there = self._read(path) if is_handlers(path) else None
            tools = [key.removeprefix(HANDLER) for key in keys if key.startswith(HANDLER)]
            if there and any(_marks(decoded(there.data), tool) for tool in tools):
                self._out.notes.append(Note(path, f"no handler in this file is called: {advised}"))

    def unmended(self, files: Iterable[str], modules: Iterable[str]) -> None:
        """Note problems in modules that people wrote or edited, except those the merge reported."""
        now = lost_imports.Modules({*files, *self._hashes}, self._old.files, self.after)
        edited = [path for path, _ in self.edited(modules)]
        notes = [*broken_edits.notes(now, self._out.lock, edited)]
        gone = further_requests.between(self._old, self._out.lock)
        requests = [*further_requests.notes(now, gone, self._out.lock, edited)]
        notes += [note for _, note in requests]
        kept = gone.intersection({each for each, _ in requests}.union(self._old.gone))
        taken = further_requests.of_sent(self._out.lock, further_requests.sent(now, edited))
        self._out.lock = replace(self._out.lock, gone=tuple(sorted(kept)), taken=taken)
        keys = {(each.path, each.text) for each in notes}
        self._out.notes = [n for n in self._out.notes if (n.path, n.text) not in keys] + notes

    def after(self, path: str) -> str | None:
        """The text of a file once this run has written it; None if there will be no file."""
        if path in self._out.remove:
            return None
        new_data = self._out.write.get(path)
        there = self._read(path) if new_data is None else Content(new_data)
        return None if there is None else code_of(there.data)

    def edited(self, modules: Iterable[str]) -> Iterator[tuple[str, list[Taken]]]:
        """The modules that people wrote or edited, each with the names that it imports."""
        for path in sorted(
            {*modules, *(note.path for note in self._out.kept)} - {*self._out.remove}
        ):
            new = self._out.write.get(path)
            content = self._read(path) if new is None else Content(new)
            if content and path.endswith(".py") and content.digest != self._hashes.get(path):
                yield path, taken(path, code_of(content.data))


def _marks(text: str, tool: str) -> bool:
    """Whether a module has a handler for a tool."""
    return re.search(rf"@{MARK}\(\s*(['\"]){re.escape(tool)}\1", text) is not None
