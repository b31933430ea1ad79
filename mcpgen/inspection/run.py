"""The inspection of a document or a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from .. import lock as locks
from .. import settings
from ..diagnostics import Diagnostic, Diagnostics, GenerationError
from ..diff import inputs as diff_source
from ..regeneration import up_to_date
from ..servers import reports
from ..settings import Settings
from .catalogue import Inspection, as_json
from .problems import problems

COLUMNS = (*reports.COLUMNS, "tools", "listed", "tokens", "problems")
"""Of a table of many sources; the last four are numbers. Tokens are those of what is listed."""
NUMBERS = (4, 5, 6, 7)
FLEXIBLE = (1, 3)


class Limits(Struct, frozen=True):
    """The maximum number of tools and tokens in a list; None means no limit."""

    tools: int | None = None
    tokens: int | None = None


class Standing(Struct, frozen=True):
    """The state of a server, compared with one generated from its document today."""

    state: str
    change: str = ""
    """The worst that an update would do to those who call the tools; empty: not known."""

    def to_json(self) -> dict[str, str]:
        """The server's state as members of a JSON object."""
        return {"state": self.state, **({"change": self.change} if self.change else {})}


class Inspected(Struct, frozen=True):
    """The inspection of one source; `inspection` is None if the source cannot be read."""

    source: str
    inspection: Inspection | None = None
    standing: Standing | None = None
    """Of a server on disk."""
    over: tuple[str, ...] = ()
    """The limits that are passed."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is wrong with it, or why it, or what it was generated from, cannot be read."""

    @property
    def row(self) -> tuple[str, ...]:
        """The source's row in a table of several sources."""
        if self.inspection is None:
            return (self.source, "-", "failed", *["-"] * (len(COLUMNS) - 3))
        tools, standing = self.inspection.tools, self.standing or Standing("-")
        listed = (len(tools.tools), len(tools.listed), tools.tokens)
        counts = (*listed, len(self.inspection.problems))
        words = (self.source, tools.mcpgen or "-", standing.state, standing.change or "-")
        return (*words, *(f"{count:,}" for count in counts))

    def to_json(self) -> dict[str, Any]:
        """The inspection as a JSON object."""
        data = {"source": self.source} if self.inspection is None else as_json(self.inspection)
        if self.inspection is not None and self.inspection.tools.mcpgen:
            data["mcpgen"] = self.inspection.tools.mcpgen
        if self.standing is not None:
            data |= self.standing.to_json()
        diagnostics = [diagnostic.to_json() for diagnostic in self.diagnostics]
        return {**data, "over": list(self.over), "diagnostics": diagnostics}


def inspected(
    location: str,
    *,
    reading: Settings,
    server: str,
    clients: tuple[str, ...],
    limits: Limits,
    checked: bool,
) -> Inspected:
    """Inspect a document or server.

    `server` is the name that clients use for the server; by default the server's own name.
    `reading` says which files may belong to a document. With `checked`, a server is also compared
    with one generated from its document today.
    """
    notes = Diagnostics()
    try:
        tools = diff_source.load(location, notes, reading)
    except GenerationError as error:
        notes.extend(error.diagnostics)
        return Inspected(location, diagnostics=notes.items)
    name = server or tools.server or "api"
    inspection = Inspection(tools, tuple(problems(tools, name, clients)))
    over = tuple(inspection.over(limits.tools, limits.tokens))
    if not (tools.mcpgen and Path(location).is_dir()):
        return Inspected(location, inspection, over=over, diagnostics=notes.items)
    standing, unread = _checked(Path(location)) if checked else (_by_hashes(Path(location)), ())
    return Inspected(location, inspection, standing, over, (*notes.items, *unread))


def _checked(folder: Path) -> tuple[Standing, tuple[Diagnostic, ...]]:
    """The result of `mcpgen check` on a server, or the reason why there is none."""
    from .. import servers  # and with it all that merges, of no use for a document

    result = servers.check(folder, servers.silent)
    if not result.failed:
        return Standing(reports.state(result), reports.change(result)), ()
    diagnostics = Diagnostics()
    diagnostics.extend(result.diagnostics)
    for error in result.errors:
        diagnostics.error("not-checked", error if result.folder in error else f"{folder}: {error}")
    return Standing("unknown"), diagnostics.errors


def _by_hashes(folder: Path) -> Standing:
    """Whether a server matches its lock; the details need a full `mcpgen check`."""
    try:
        lock = locks.read(folder)
        asked = settings.seen_from_here(settings.load(folder / settings.FILE_NAME), folder)
        same = lock is not None and up_to_date.is_fresh(folder, lock, asked)
    except (OSError, GenerationError, locks.LockError):
        same = False
    return Standing("up to date" if same else "changed")
