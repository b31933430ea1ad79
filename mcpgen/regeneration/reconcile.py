"""Decides what to do with each file, by the old file, the lock and the newly generated text.

No file is read or written here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from ..hashes import digest as hash_of
from ..lock import Lock
from ..merge import lines as merge_lines
from ..merge import named_parts
from . import layout, lost_variables, needed_runtime, textfile
from .merging import Merger
from .notes import Note
from .outcome import KEPT, Outcome, Policy, Read
from .ownership import Owner, advice, hidden_by, hiding, is_handlers, is_untouched, owner
from .server_folder import Content
from .snapshots import definitions_of
from .telling import Teller
from .textfile import code_of, decoded, encoded

_FORMATTED = "a formatter changed this file{}: exclude generated files from formatters"


def reconcile(
    read: Read,
    files: Mapping[str, str | bytes],
    lock: Lock,
    old: Lock | None,
    policy: Policy,
    own: Iterable[str],
) -> Outcome:
    """Decide what to do with each file in `files`, and with files that only the lock `old` lists.

    `lock` is the lock of `files`, but has no hashes of files yet. `own` are people's modules beside
    the generated ones.
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
    run.tell_lost_variables(files)
    run.tell_formatted()
    run.teller.renamed({*own} - {*files}, run.merger.again)
    run.out.lock = replace(
        lock,
        parts=parts,
        files=run.files,
        merged=run.merged,
        definitions=run.definitions,
        lines=run.lines,
    )
    run.teller.unmended(files, {*files, *own})
    return run.out


class _Run:
    def __init__(self, read: Read, lock: Lock, old: Lock, policy: Policy) -> None:
        self._read = read
        self._policy = policy
        self._described = lock.definitions
        self._has_new_name = old.server not in ("", lock.server)
        self._layouts: list[str] = []
        self.old = old
        self.out = Outcome(lock)
        self.files: dict[str, str] = {}
        self.merger = Merger(old, lock, policy.conflicts, self.out)
        self.teller = Teller(read, old, self.out, self.files)
        self.merged: dict[str, str] = {}
        self.definitions: dict[str, Mapping[str, Mapping[str, str]]] = {}
        self.lines: dict[str, list[str]] = {}

    def place(self, path: str, content: str | bytes) -> None:
        """Decide whether to write, merge or refuse a generated file, and record the decision."""
        there, data = self._read(path), encoded(content)
        kind = owner(path)
        if (package := hiding(path, kind)) and self._read(package):
            if kind is Owner.MODULE:
                self.out.refused.append(Note(path, f"would never run: {hidden_by(package)}"))
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
        """Note that a missing module of handlers is written again; a person may have renamed it."""
        if path in self.old.files and is_handlers(path):
            self.out.notes.append(Note(path, "was missing, and is written again"))
            advised = f"rename it to {PurePosixPath(path).name}, where its edits are kept"
            self.merger.again.append((self.old.definitions.get(path, ()), advised))

    def tell_lost_variables(self, files: Mapping[str, str | bytes]) -> None:
        """Note environment variables of the server that are gone or have new names."""
        if self._has_new_name:  # so all of them have other names, which is told with the name
            return
        before: list[str] = []
        now: list[str] = []
        for path in lost_variables.FILES:
            if path in files:
                now += decoded(files[path]).splitlines()
                if there := self._read(path):
                    before += merge_lines.generated(
                        self.old.lines.get(path, ()), decoded(there.data)
                    )
        if message := lost_variables.lost(before, now):
            self.out.notes.append(Note(lost_variables.FILES[0], message))

    def leave(self, path: str) -> None:
        """Remove, merge or keep a file that the generator wrote once but no longer writes."""
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
            self.out.kept.append(Note(path, KEPT))

    def place_server(
        self, package: str, files: Mapping[str, str | bytes], modules: Collection[str]
    ) -> tuple[str, ...]:
        """Place `server.py` and the runtime, which depend on all other files.

        Returns the names of the parts that `server.py` uses.
        """
        path = self.merger.server = f"{package}/server.py"
        names: tuple[str, ...] = ()
        if path in files:
            others = {each for each in modules if not needed_runtime.is_runtime(each)} - {path}
            edited = [self.teller.after(each) or "" for each, _ in self.teller.edited(others)]
            text = needed_runtime.server_module(decoded(files[path]), edited)
            names = named_parts.names_in(text)
            if text != files[path]:
                self._described = {p: d for p, d in self._described.items() if p != path}
            self.place(path, text)
            self.out.refused += needed_runtime.problems(path, self.teller.after(path) or "")
        runtime = {p: text for p, text in files.items() if needed_runtime.is_runtime(p)}
        if len(runtime) > 1 and path in files:
            runtime = {**needed_runtime.runtime(package, files, modules, self.teller.after)}
        for each in sorted(runtime):
            self.place(each, runtime[each])
        for each in self.old.files:
            if needed_runtime.is_runtime(each) and each not in runtime:
                self.leave(each)
        return names

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
        """Whether only a formatter changed a file that mcpgen owns."""
        is_same = layout.is_same(path, code_of(there), code_of(new))
        if is_same:
            self._layouts.append(path)
        return is_same

    def tell_formatted(self) -> None:
        """Add a note on how many of mcpgen's own files a formatter changed.

        The note is at the first of these files.
        """
        if self._layouts:
            first, *others = self._layouts
            more = f" and {len(others)} more" if others else ""
            note = Note(first, _FORMATTED.format(more))
            self.out.notes.append(note)

    def _merge(self, path: str, there: bytes, text: str, kind: Owner) -> None:
        try:
            data = self.merger.merged(path, there, text, kind)
        except ValueError as reason:
            self.out.refused.append(Note(path, str(reason)))
            return
        if data is None:
            self.out.remove.append(path)
            return
        marked = self._policy.conflicts == "markers" and b"<<<<<<< " in data
        if path in self.files and hash_of(data) != self.files[path] and not marked:
            self.merged[path] = hash_of(data)
        if data != there:
            self.out.write[path] = data
