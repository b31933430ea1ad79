"""What a run has read of a large document, kept in the user's cache for the next run.

Nothing here is ever needed: without it the next run reads everything, with the same result.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from contextlib import suppress
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct, field
from msgspec.structs import replace

from . import __version__
from .shared_parts import SharingPickler, SharingUnpickler, parts_of
from .shipped import templates_folder

if TYPE_CHECKING:
    from .lock import Lock
    from .plan.planning import Planned
    from .readers.openapi import Before

VARIABLE = "MCPGEN_CACHE_DIR"
"""Names another folder; empty: nothing is kept."""

_MOST_BYTES = 256 << 20
"""Of all files, a few MB each: the oldest go."""

_FACTS = (
    *("mcpgen", "source", "sources", "settings_sha256", "templates_sha256", "server", "tools"),
    *("modules", "functions", "named", "homes", "keywords", "classes"),
)
"""What of a lock tells from what the run made which it is of."""


class Recalled(Struct, frozen=True):
    """What one run knows of its documents."""

    read: tuple[Before | None, ...] = ()
    """Of each source, where it can be taken over."""
    planned: Planned | None = None
    """Of all of them together."""
    formatter: str = ""
    """What its files were formatted with."""
    shipped: str = ""
    """The hash of the templates and of the runtime; empty where there were others."""


class Known(Struct, frozen=True):
    """What was kept, and what another run can say without saying it again."""

    found: Recalled = field(default_factory=Recalled)
    base: str = ""
    """The file with all of the `parts`."""
    parts: tuple[object, ...] = ()


def load(lock: Lock) -> Known:
    """What the run knew that wrote a lock; nothing where that is not kept."""
    place = folder()
    if place is None:
        return Known()
    with suppress(Exception):  # a file that is gone, cut short, or of another version
        return _load(place, _name(lock))
    return Known()


def _load(place: Path, name: str) -> Known:
    """What a file holds: all of it, or what has changed since another one was written."""
    with (place / name).open("rb") as file:
        base = pickle.load(file)
        if not base:
            found = pickle.load(file)
            return Known(found, name, parts_of(found))
        there = _load(place, base)
        os.utime(place / base)  # it is as new as what needs it
        found = SharingUnpickler(file, there.parts).load()
        return replace(there, found=found)


def save(lock: Lock, found: Recalled, known: Known) -> None:
    """Keep what a run knows for the next one; where that cannot be done, nothing is kept.

    What the run before knew already is not kept twice as long as that is most of it.
    """
    place = folder()
    if place is None:
        return
    with suppress(OSError, pickle.PickleError, RecursionError):
        handle, temporary = tempfile.mkstemp(suffix=".part", dir=place)
        try:
            with open(handle, "w+b") as file:
                if not (known.base and _write_changes(file, found, known, place)):
                    _write(file, found)
            os.replace(temporary, place / _name(lock))
        except BaseException:
            os.unlink(temporary)
            raise
        _prune(place)


def _write(file: BinaryIO, found: Recalled) -> None:
    file.seek(0)
    file.truncate()
    pickle.dump("", file)
    pickle.dump(found, file, pickle.HIGHEST_PROTOCOL)


def _write_changes(file: BinaryIO, found: Recalled, known: Known, place: Path) -> bool:
    """Write what is not in the base; whether that is worth it."""
    pickle.dump(known.base, file)
    SharingPickler(file, known.parts).dump(found)
    return file.tell() * 2 < (place / known.base).stat().st_size


def folder() -> Path | None:
    """The folder of the cache, which is made where it is not there.

    None where it is turned off, cannot be made, or where others than the user can write to it.
    """
    place = _chosen()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return place if _is_private(place) else None


def _chosen() -> Path | None:
    """The folder's place (XDG Base Directory Specification)."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return Path(base) / "mcpgen"
    with suppress(RuntimeError):
        return Path.home() / ".cache" / "mcpgen"
    return None


def _is_private(place: Path) -> bool:
    """Whether nobody else can have put a file there."""
    found = place.stat()
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _name(lock: Lock) -> str:
    """The file of what this code made of these documents, by these settings, with these names."""
    facts = (getattr(lock, fact) for fact in _FACTS)
    text = repr([sys.version, __version__, *_code(), *facts])
    return f"{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.pickle"


@cache
def _code() -> list[str]:
    """What tells the state of this package's modules and templates; those of a checkout change."""
    found: list[str] = []
    folders = list({os.path.dirname(__file__), str(templates_folder())})
    while folders:
        for entry in os.scandir(folders.pop()):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.name.endswith((".py", ".jinja")):
                state = entry.stat()
                found.append(f"{entry.path} {state.st_size} {state.st_mtime_ns}")
    return sorted(set(found))


def _prune(place: Path) -> None:
    """Let the oldest files go where there are too many."""
    found = [(path.stat(), path) for path in place.glob("*.p[ia]*")]
    found.sort(key=lambda each: each[0].st_mtime_ns, reverse=True)
    sizes = accumulate(state.st_size for state, _ in found)
    for size, (_, path) in zip(sizes, found, strict=True):
        if size > _MOST_BYTES:
            path.unlink(missing_ok=True)
