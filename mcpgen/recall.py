"""The user's cache of what was read of large documents, so that the next run need not read it.

It is only an optimization: without it the next run reads everything, with the same result.
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
"""The facts of a lock that identify the run whose output it describes."""


class Recalled(Struct, frozen=True):
    """What one run read and planned."""

    read: tuple[Before | None, ...] = ()
    """For each source, where it can be reused."""
    planned: Planned | None = None
    """For all sources together."""
    formatter: str = ""
    """The formatter's version."""
    shipped: str = ""
    """The hash of mcpgen's templates and runtime; empty if the user has templates of their own."""


class Known(Struct, frozen=True):
    """A cache entry, and the parts of it that a later entry can refer to."""

    found: Recalled = field(default_factory=Recalled)
    base: str = ""
    """The name of the cache file that holds all of the `parts`."""
    mark: bytes = b""
    """Random bytes of that file: one written anew under its name has other parts."""
    parts: tuple[object, ...] = ()


def load(lock: Lock) -> Known:
    """The cache entry of the run that wrote `lock`; empty if there is none."""
    place = folder()
    if place is None:
        return Known()
    with suppress(Exception):  # a file that is gone, cut short, or of another version
        return _load(place, _name(lock))
    return Known()


def _load(place: Path, name: str) -> Known:
    """Read a cache file, which holds everything, or only what changed since another file."""
    with (place / name).open("rb") as file:
        base, mark = pickle.load(file)
        if not base:
            return _whole(file, name, mark)
        with (place / base).open("rb") as other:
            if pickle.load(other) != ("", mark):
                return Known()
            there = _whole(other, base, mark)
        with suppress(OSError):  # a cache that is only read
            os.utime(place / base)  # it is as new as what needs it
        return replace(there, found=SharingUnpickler(file, there.parts).load())


def _whole(file: BinaryIO, name: str, mark: bytes) -> Known:
    found = pickle.load(file)
    return Known(found, name, mark, parts_of(found))


def save(lock: Lock, found: Recalled, known: Known) -> None:
    """Cache what a run read and planned; an error means only that nothing is cached.

    Only what differs from the previous run is written, as long as that saves at least half.
    """
    place = folder()
    if place is None:
        return
    with suppress(OSError, pickle.PickleError, RecursionError):
        handle, temporary = tempfile.mkstemp(suffix=".part", dir=place)
        try:
            name = _name(lock)
            with open(handle, "w+b") as file:
                shares = known.base not in ("", name)
                if not (shares and _write_changes(file, found, known, place)):
                    _write(file, found)
            os.replace(temporary, place / name)
        except BaseException:
            os.unlink(temporary)
            raise
        _prune(place)


def _write(file: BinaryIO, found: Recalled) -> None:
    file.seek(0)
    file.truncate()
    pickle.dump(("", os.urandom(16)), file)
    pickle.dump(found, file, pickle.HIGHEST_PROTOCOL)


def _write_changes(file: BinaryIO, found: Recalled, known: Known, place: Path) -> bool:
    """Write only what the base file lacks; False if that is more than half of the base file."""
    pickle.dump((known.base, known.mark), file)
    SharingPickler(file, known.parts).dump(found)
    return file.tell() * 2 < (place / known.base).stat().st_size


def folder() -> Path | None:
    """The cache folder, created if it does not exist.

    None if caching is turned off, the folder cannot be created, or other users can write to it.
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
    """The cache folder's path (XDG Base Directory Specification)."""
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
    """Whether only this user can have put files there."""
    found = place.stat()
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _name(lock: Lock) -> str:
    """The file name for this version of mcpgen, these documents, settings and names."""
    facts = (getattr(lock, fact) for fact in _FACTS)
    text = repr([sys.version, __version__, *_code(), *facts])
    return f"{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.pickle"


@cache
def _code() -> list[str]:
    """Size and time of mcpgen's own modules and templates: in a checkout, they change."""
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
    """Delete the oldest files once all together are too large."""
    found = [(path.stat(), path) for path in place.glob("*.p[ia]*")]
    found.sort(key=lambda each: each[0].st_mtime_ns, reverse=True)
    sizes = accumulate(state.st_size for state, _ in found)
    for size, (_, path) in zip(sizes, found, strict=True):
        if size > _MOST_BYTES:
            path.unlink(missing_ok=True)
