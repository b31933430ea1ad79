"""Merges one edited file with its newly generated text."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath

from ..lock import Lock
from ..merge import lines as merge_lines
from ..merge import named_parts
from ..merge.snapshot import HANDLER, keys_now
from ..runtime import PARTS
from . import textfile
from .notes import Note
from .outcome import KEPT, Conflict, Outcome
from .ownership import Owner

_USED = "is not generated any more; it stays, since other code uses it"


class Merger:
    """Merges files, and adds the messages about them to an outcome."""

    def __init__(self, old: Lock, lock: Lock, conflicts: str, out: Outcome) -> None:
        self._old = old
        self._conflicts = conflicts
        self._out = out
        self._renamed = keys_now(old.tools, lock.tools, old.contents, lock.contents)
        self._handlers = {
            key: parts
            for definitions in old.definitions.values()
            for key, parts in definitions.items()
            if key.startswith(HANDLER)
        }
        self.server = ""
        """The path of the module that names the parts of the server."""
        self.again: list[tuple[Iterable[str], str]] = []
        """Handlers that are written again, and where those are that a person has of them."""

    def merged(self, path: str, there: bytes, text: str, kind: Owner) -> bytes | None:
        """The merged file, or None if it is removed.

        Raises ValueError, with the reason, if the file cannot be read or written.
        """
        try:
            file = textfile.read(there, python=kind is Owner.MODULE)
            merge = self._module if kind is Owner.MODULE else self._text
            merged = merge(path, file.text, text)
            return None if merged is None else file.encode(merged)
        except UnicodeEncodeError as error:
            reason = (
                f"the new text does not fit the encoding, {error.encoding}; save the file as UTF-8"
            )
            raise ValueError(reason) from None
        except ValueError as error:
            raise ValueError(f"cannot be read: {error}") from None
        except (RecursionError, MemoryError):
            raise ValueError(textfile.TOO_DEEP) from None

    def _text(self, path: str, there: str, text: str) -> str:
        rows = self._old.lines.get(path, [])
        done = merge_lines.merge(rows, there, text, conflicts=self._conflicts)
        for hunk in done.hunks:
            what = "lines that the generator changed too"
            difference = merge_lines.diff(hunk.there, hunk.new)
            self._out.conflicts.append(Conflict(path, hunk.line, what, difference))
        return done.text

    def _module(self, path: str, there: str, text: str) -> str | None:
        from ..merge import modules  # libcst, of no use as long as nothing was edited

        aligned = None
        if path == self.server:
            aligned = named_parts.align(there, text, self._old.parts, PARTS)
        base = (aligned.there, aligned.new) if aligned else (there, text)
        merge = partial(
            modules.merge,
            self._old.definitions.get(path, {}),
            *base,
            elsewhere=self._handlers,
            renamed=self._renamed,
            own_keys={f"{HANDLER}{tool}" for tool in self._old.named},
        )
        try:
            done = merge(theirs=self._conflicts == "theirs")
        except modules.MergeError as error:
            place = f"{path}:{error.line}:{error.column}"
            self._out.refused.append(Note(place, f"does not parse: {error.reason}"))
            return there
        if aligned:
            done.text = aligned.finish(done.text)
        if not text and done.empty:
            return None
        merged = _formatted(path, there, done.text) if done.text != there else there
        lines, marks = _new_lines(done.text, merged), dict[int, int]()
        if done.conflicts and self._conflicts == "markers":
            other = merge(theirs=True).text
            other = _formatted(path, there, aligned.finish(other) if aligned else other)
            merged, marks = merge_lines.marked(merged, other)
        for clash in done.conflicts:
            what = f"{clash.definition}: {clash.part or 'all of it'} was changed on both sides"
            line = lines.get(clash.line, clash.line)
            line = marks.get(line, line)
            self._out.conflicts.append(Conflict(path, line, what, clash.diff))
        self._out.kept += [Note(path, f"{key} {KEPT}") for key in done.kept]
        self._out.kept += [Note(path, f"{key} {_USED}") for key in done.used]
        if not text and not (done.kept or done.used):
            self._out.kept.append(Note(path, KEPT))
        self._out.notes += [Note(path, note) for note in done.notes]
        keys = (*self._renamed, *done.back)
        back = [key for key in keys if self._renamed.get(key, key) in done.back]
        self.again.append((back, f"{PurePosixPath(path).name} has the handlers of its tools"))
        return merged


def _formatted(path: str, there: str, merged: str) -> str:
    """The merged text, formatted if the existing text was formatted."""
    from ..format import format_files  # of no use as long as nothing was edited

    if format_files({path: there})[path] != there:
        return merged
    return format_files({path: merged})[path]


def _new_lines(text: str, formatted: str) -> dict[int, int]:
    """Maps the line of each top-level statement to its line after formatting."""
    if text == formatted:
        return {}
    before, after = ([each.lineno for each in ast.parse(t).body] for t in (text, formatted))
    return dict(zip(before, after, strict=False))
