"""Decides what to do with each file: what is in the folder against what would be written now.

Nothing is written or read here; the result says what is to be done.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from ..diagnostics import visible
from ..hashes import digest as hash_of
from ..lock import Lock
from ..merge import lines as merge_lines
from ..merge import named_parts
from ..merge.snapshot import HANDLER, MARK, keys_now
from ..runtime import PARTS
from . import (
    broken_edits,
    gone_operations,
    layout,
    lost_imports,
    lost_variables,
    needed_runtime,
    textfile,
)
from .names_used_elsewhere import Taken, taken
from .notes import Note
from .ownership import Owner, advice, hidden_by, hiding, is_handlers, is_untouched, owner
from .server_folder import Content
from .snapshots import definitions_of
from .textfile import code_of, decoded, encoded

Read = Callable[[str], Content | None]
"""What the file at a path in the folder holds; None where there is none."""
_KEPT = "is not generated any more; it was edited and stays"
_FORMATTED = "was formatted (files: {}): leave what is generated out of formatters"
_USED = "is not generated any more; it stays, for code beside it uses it"


class Conflict(Struct, frozen=True):
    """A part that both a person and the generator changed."""

    path: str
    line: int
    what: str
    diff: str
    """From what is there to what would be written now."""

    def __str__(self) -> str:
        return f"{visible(self.path)}:{self.line}: {self.what}"


class Outcome(Struct):
    """What is to be done to a folder."""

    lock: Lock
    write: dict[str, bytes] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    """What stays although the generator does not write it any more."""
    notes: list[Note] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    refused: list[Note] = field(default_factory=list)
    """Why nothing may be written: an edit of a file of ours, or a file that cannot be merged."""
    was: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of files that are there, of those to be written where it is known."""
    moved: dict[str, str] = field(default_factory=dict)
    """Where files of a package that is renamed were, by where they will be."""
    lock_changed: bool = False


class Policy(Struct, frozen=True):
    """How to decide when both sides have a claim."""

    force: bool = False
    """Write over edits of files of ours."""
    conflicts: str = "keep"
    asked: Mapping[str, str] = field(default_factory=dict)
    """New texts of files that belong to the user, who asked for them."""


def reconcile(
    read: Read,
    files: Mapping[str, str | bytes],
    lock: Lock,
    old: Lock | None,
    policy: Policy,
    own: Iterable[str],
) -> Outcome:
    """Decide what happens to each of `files`, and to the files that `old` lists.

    `lock` is the lock of `files`, without hashes of files, and perhaps with those of definitions.
    `own` are the modules that people put beside what is generated.
    """
    nothing = replace(lock, files={}, definitions={}, lines={})
    run = _Run(read, lock, old or nothing, policy)
    package, ours = needed_runtime.split(files)
    for path in sorted(ours):
        run.place(path, ours[path])
    for path in run.old.files:
        if path not in files and not needed_runtime.is_runtime(path):
            run.leave(path)
    parts = run.place_server(package, files, {*files, *own})
    run.tell_formatted()
    run.tell_renamed({*own} - {*files})
    run.out.lock = replace(
        lock,
        parts=parts,
        files=run.files,
        merged=run.merged,
        definitions=run.definitions,
        lines=run.lines,
    )
    run.tell_unmended(files, {*files, *own})
    return run.out


class _Run:
    def __init__(self, read: Read, lock: Lock, old: Lock, policy: Policy) -> None:
        self._read = read
        self._policy = policy
        self._renamed = keys_now(old.tools, lock.tools, old.contents, lock.contents)
        self._handlers = {
            key: parts
            for definitions in old.definitions.values()
            for key, parts in definitions.items()
            if key.startswith(HANDLER)
        }
        self._described = lock.definitions
        self._has_new_name = old.server not in ("", lock.server)
        self._again: list[tuple[Iterable[str], str]] = []
        self._layouts: list[str] = []
        self._server = ""
        self.old = old
        self.out = Outcome(lock)
        self.files: dict[str, str] = {}
        self.merged: dict[str, str] = {}
        self.definitions: dict[str, Mapping[str, Mapping[str, str]]] = {}
        self.lines: dict[str, list[str]] = {}

    def place(self, path: str, content: str | bytes) -> None:
        """Decide on a file that the generator writes."""
        there, data = self._read(path), encoded(content)
        kind = owner(path)
        if (package := hiding(path, kind)) and self._read(package):
            if kind is Owner.MODULE:
                self.out.refused.append(Note(path, f"would never be run: {hidden_by(package)}"))
            return
        if kind is Owner.USER:
            text = self._policy.asked.get(path, decoded(content) if there is None else None)
            if text is not None and (there is None or encoded(text) != there.data):
                self.out.write[path] = encoded(text)
            return
        if there is not None and there.data == data:
            self._remember(path, content, there, kind)
            return
        new_content = Content(data)
        self._remember(path, content, new_content, kind)
        if there is None:
            self.out.write[path] = data
            self._tell_written_again(path)
            return
        if path == lost_variables.FILE_NAME:
            self._tell_lost_variables(path, decoded(there.data), decoded(content))
        if there.digest == new_content.digest:
            return
        if is_untouched(self.old, path, there):
            if b"\r" in there.data:
                data = textfile.read(there.data).encode(decoded(content))
            else:
                self.out.was[path] = self.old.files[path]
            self.out.write[path] = data
        elif kind is Owner.OURS:
            if self._differs_in_layout(path, there.data, data) or self._refuse(path):
                self.out.write[path] = data
        else:
            self._merge(path, there.data, decoded(content), kind)

    def _tell_written_again(self, path: str) -> None:
        """Note that a module of handlers was gone: somebody may have renamed it."""
        if path in self.old.files and is_handlers(path):
            self.out.notes.append(Note(path, "was not there any more, and is written again"))
            advised = f"rename it to {PurePosixPath(path).name}, in whose place its edits are kept"
            self._again.append((self.old.definitions.get(path, ()), advised))

    def _tell_lost_variables(self, path: str, there: str, new: str) -> None:
        """Note the variables that the server no longer reads, wherever they may be set."""
        if self._has_new_name:  # so all of them have other names, which is told with the name
            return
        ours = merge_lines.generated(self.old.lines.get(path, ()), there)
        if message := lost_variables.lost(ours, new.splitlines()):
            self.out.notes.append(Note(path, message))

    def leave(self, path: str) -> None:
        """Decide on a file that the generator wrote and no longer writes."""
        there = self._read(path)
        kind = owner(path)
        if there is None or kind is Owner.USER:
            return
        if is_untouched(self.old, path, there):
            self.out.remove.append(path)
        elif kind is Owner.OURS:
            if self._refuse(path):
                self.out.remove.append(path)
        elif kind is Owner.MODULE:
            self._merge(path, there.data, "", kind)
        else:
            self.out.kept.append(Note(path, _KEPT))

    def tell_renamed(self, own: Iterable[str]) -> None:
        """Note the modules of people that hold handlers which are now written elsewhere again."""
        for path, (keys, advised) in product(sorted(own), self._again):
            there = self._read(path) if is_handlers(path) else None
            tools = [key.removeprefix(HANDLER) for key in keys if key.startswith(HANDLER)]
            if there and any(_marks(decoded(there.data), tool) for tool in tools):
                self.out.notes.append(Note(path, f"no handler is called here: {advised}"))

    def tell_unmended(self, files: Iterable[str], modules: Iterable[str]) -> None:
        """Note what does not work in modules of people; what the merge said of it is said once."""
        now = lost_imports.Modules({*files, *self.files}, self.old.files, self._after)
        edited = [path for path, _ in self._edited(modules)]
        notes = [*broken_edits.notes(now, self.out.lock, edited)]
        gone = gone_operations.between(self.old, self.out.lock)
        requests = [*gone_operations.requests(now, gone, edited)]
        notes += [note for _, note in requests]
        kept = {each for each, _ in requests}.union(gone.intersection(self.old.gone))
        self.out.lock = replace(self.out.lock, gone=tuple(sorted(kept)))
        keys = {(each.path, each.text) for each in notes}
        self.out.notes = [n for n in self.out.notes if (n.path, n.text) not in keys] + notes

    def _after(self, path: str) -> str | None:
        """The text of a file after the run; None where there is none."""
        if path in self.out.remove:
            return None
        new_data = self.out.write.get(path)
        there = self._read(path) if new_data is None else Content(new_data)
        return None if there is None else code_of(there.data)

    def place_server(
        self, package: str, files: Mapping[str, str | bytes], modules: Collection[str]
    ) -> tuple[str, ...]:
        """Decide on `server.py` and the runtime, by what all others use; returns its parts."""
        path = self._server = f"{package}/server.py"
        names: tuple[str, ...] = ()
        if path in files:
            others = {each for each in modules if not needed_runtime.is_runtime(each)} - {path}
            edited = [self._after(each) or "" for each, _ in self._edited(others)]
            text = needed_runtime.server_module(decoded(files[path]), edited)
            names = named_parts.names_in(text)
            if text != files[path]:
                self._described = {p: d for p, d in self._described.items() if p != path}
            self.place(path, text)
            self.out.refused += needed_runtime.problems(path, self._after(path) or "")
        runtime = {p: text for p, text in files.items() if needed_runtime.is_runtime(p)}
        if len(runtime) > 1 and path in files:
            runtime = {**needed_runtime.runtime(package, files, modules, self._after)}
        for each in sorted(runtime):
            self.place(each, runtime[each])
        for each in self.old.files:
            if needed_runtime.is_runtime(each) and each not in runtime:
                self.leave(each)
        return names

    def _edited(self, modules: Iterable[str]) -> Iterator[tuple[str, list[Taken]]]:
        """The modules that people wrote or edited, and what each takes from others."""
        for path in sorted({*modules, *(note.path for note in self.out.kept)} - {*self.out.remove}):
            new = self.out.write.get(path)
            content = self._read(path) if new is None else Content(new)
            if content and path.endswith(".py") and content.digest != self.files.get(path):
                yield path, taken(path, code_of(content.data))

    def _remember(self, path: str, content: str | bytes, new_content: Content, kind: Owner) -> None:
        digest = new_content.digest
        self.files[path] = digest
        if kind is Owner.MODULE:
            cached = self._described.get(path)
            self.definitions[path] = cached or definitions_of(
                path, decoded(content), digest, self.old
            )
        elif kind is Owner.TEXT:
            same = self.old.files.get(path) == digest
            rows = self.old.lines.get(path) if same else None
            self.lines[path] = list(rows or merge_lines.snapshot(decoded(content)))

    def _refuse(self, path: str) -> bool:
        """Report an edit of a file that mcpgen owns; returns whether it is overwritten anyway."""
        note = Note(path, f"was edited, but it is generated: {advice(path)}")
        (self.out.notes if self._policy.force else self.out.refused).append(note)
        return self._policy.force

    def _differs_in_layout(self, path: str, there: bytes, new: bytes) -> bool:
        """Whether a formatter, and nobody else, changed a file that mcpgen owns."""
        is_same = layout.is_same(path, code_of(there), code_of(new))
        if is_same:
            self._layouts.append(path)
        return is_same

    def tell_formatted(self) -> None:
        """Note, at the first of them, how many files that mcpgen owns a formatter changed."""
        if self._layouts:
            note = Note(self._layouts[0], _FORMATTED.format(len(self._layouts)))
            self.out.notes.append(note)

    def _merge(self, path: str, there: bytes, text: str, kind: Owner) -> None:
        try:
            file = textfile.read(there, python=kind is Owner.MODULE)
            merge = self._merged_module if kind is Owner.MODULE else self._merged_text
            merged = merge(path, file.text, text)
            if merged is None:
                self.out.remove.append(path)
                return
            data = file.encode(merged)
        except UnicodeEncodeError as error:
            reason = f"what is new does not fit its encoding, {error.encoding}; save it as UTF-8"
            self.out.refused.append(Note(path, reason))
            return
        except ValueError as error:
            self.out.refused.append(Note(path, f"cannot be read: {error}"))
            return
        except (RecursionError, MemoryError):
            self.out.refused.append(Note(path, textfile.TOO_DEEP))
            return
        marked = self._policy.conflicts == "markers" and b"<<<<<<< " in data
        if path in self.files and hash_of(data) != self.files[path] and not marked:
            self.merged[path] = hash_of(data)
        if data != there:
            self.out.write[path] = data

    def _merged_text(self, path: str, there: str, text: str) -> str:
        rows = self.old.lines.get(path, [])
        done = merge_lines.merge(rows, there, text, conflicts=self._policy.conflicts)
        for hunk in done.hunks:
            what = "lines that the generator changed too"
            difference = merge_lines.diff(hunk.there, hunk.new)
            self.out.conflicts.append(Conflict(path, hunk.line, what, difference))
        return done.text

    def _merged_module(self, path: str, there: str, text: str) -> str | None:
        from ..merge import modules  # libcst, of no use as long as nothing was edited

        aligned = None
        if path == self._server:
            aligned = named_parts.align(there, text, self.old.parts, PARTS)
        base = (aligned.there, aligned.new) if aligned else (there, text)
        merge = partial(
            modules.merge,
            self.old.definitions.get(path, {}),
            *base,
            elsewhere=self._handlers,
            renamed=self._renamed,
            own_keys={f"{HANDLER}{tool}" for tool in self.old.named},
        )
        try:
            done = merge(theirs=self._policy.conflicts == "theirs")
        except modules.MergeError as error:
            place = f"{path}:{error.line}:{error.column}"
            self.out.refused.append(Note(place, f"does not parse: {error.reason}"))
            return there
        if aligned:
            done.text = aligned.finish(done.text)
        if not text and done.empty:
            return None
        merged = self._formatted(path, there, done.text) if done.text != there else there
        lines, marks = _new_lines(done.text, merged), dict[int, int]()
        if done.conflicts and self._policy.conflicts == "markers":
            other = merge(theirs=True).text
            other = self._formatted(path, there, aligned.finish(other) if aligned else other)
            merged, marks = merge_lines.marked(merged, other)
        for clash in done.conflicts:
            what = f"{clash.definition}: {clash.part or 'all of it'} was changed on both sides"
            line = lines.get(clash.line, clash.line)
            line = marks.get(line, line)
            self.out.conflicts.append(Conflict(path, line, what, clash.diff))
        self.out.kept += [Note(path, f"{key} {_KEPT}") for key in done.kept]
        self.out.kept += [Note(path, f"{key} {_USED}") for key in done.used]
        if not text and not (done.kept or done.used):
            self.out.kept.append(Note(path, _KEPT))
        self.out.notes += [Note(path, note) for note in done.notes]
        keys = (*self._renamed, *done.back)
        back = [key for key in keys if self._renamed.get(key, key) in done.back]
        self._again.append((back, f"{PurePosixPath(path).name} has those of its tools"))
        return merged

    def _formatted(self, path: str, there: str, merged: str) -> str:
        """The merged text, formatted if the existing text was formatted."""
        from ..format import format_files  # of no use as long as nothing was edited

        if format_files({path: there})[path] != there:
            return merged
        return format_files({path: merged})[path]


def _marks(text: str, tool: str) -> bool:
    """Whether a module has a handler of a tool."""
    return re.search(rf"@{MARK}\(\s*(['\"]){re.escape(tool)}\1", text) is not None


def _new_lines(text: str, formatted: str) -> dict[int, int]:
    """The lines of a module's statements after it was formatted, by those before."""
    if text == formatted:
        return {}
    before, after = ([each.lineno for each in ast.parse(t).body] for t in (text, formatted))
    return dict(zip(before, after, strict=False))
