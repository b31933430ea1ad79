"""The inspection of one document or server, from what the user named to what is found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import lock as locks
from .. import settings
from ..diagnostics import Diagnostic, Diagnostics, GenerationError
from ..diff import source as diff_source
from ..regeneration import fresh
from .catalogue import Inspection, as_json
from .problems import problems


@dataclass(frozen=True)
class Limits:
    """What a catalogue may have at most; None: any number."""

    tools: int | None = None
    tokens: int | None = None


@dataclass(frozen=True)
class Inspected:
    """One source and what was found; `found` is None where it cannot be read."""

    source: str
    found: Inspection | None = None
    state: str = ""
    """Of a server: whether all that it was generated from is as it was."""
    over: tuple[str, ...] = ()
    """The limits that are passed."""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def row(self) -> tuple[str, ...]:
        """The source's row in a table of many."""
        if self.found is None:
            return (self.source, "-", "failed", "-", "-", "-")
        tools = self.found.tools
        counts = (len(tools.tools), tools.tokens, len(self.found.problems))
        return (
            self.source, tools.mcpgen or "-", self.state or "-", *(f"{n:,}" for n in counts)
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        told = {"source": self.source} if self.found is None else as_json(self.found)
        if self.state:
            told["state"] = self.state
        return {**told, "over": list(self.over), "diagnostics": [d.to_json() for d in self._errors]}

    @property
    def _errors(self) -> tuple[Diagnostic, ...]:
        return self.diagnostics if self.found is None else ()


def inspected(given: str, *, server: str, clients: tuple[str, ...], limits: Limits) -> Inspected:
    """Inspect what the user named, as a server that is called `server`, or else by its own name."""
    notes = Diagnostics()
    try:
        tools = diff_source.load(given, notes)
    except GenerationError as error:
        return Inspected(given, diagnostics=(*notes.errors, *error.diagnostics))
    name = server or tools.server or "api"
    found = Inspection(tools, tuple(problems(tools, name, clients)))
    over = tuple(found.over(limits.tools, limits.tokens))
    return Inspected(given, found, _state(Path(given)) if tools.mcpgen else "", over)


def _state(folder: Path) -> str:
    """`up to date` by the hashes of its lock, else `changed`: only `mcpgen check` says how much."""
    try:
        lock = locks.read(folder)
        asked = settings.seen_from_here(settings.load(folder / settings.FILE_NAME), folder)
        same = lock is not None and fresh.is_fresh(folder, lock, asked)
    except (OSError, GenerationError, locks.LockError):
        same = False
    return "up to date" if same else "changed"
