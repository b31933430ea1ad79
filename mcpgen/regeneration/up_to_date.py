"""Whether a server is up to date: hashes are compared, and nothing is generated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path, PurePath

from msgspec import structs

from .. import __version__
from ..bundled.contents import RUNTIME, templates_folder
from ..hashes import file_digest
from ..lock import Lock
from ..paths import in_order
from ..settings import Settings, relative_to, seen_from_here


def stamped(
    lock: Lock, sources: Mapping[str, str], settings: Settings, templates: Path | None
) -> Lock:
    """The lock with the hashes of everything that a generation depends on.

    `settings` has paths relative to the server's folder; `templates` is the user's own folder of
    templates.
    """
    return structs.replace(
        lock,
        sources=dict(sources),
        settings_sha256=_settings_hash(settings),
        templates_sha256=_templates_hash(templates, settings),
    )


def own_templates(settings: Settings) -> Path | None:
    """The folder of the user's own templates, if the settings name one."""
    return Path(settings.templates) if settings.templates else None


def knows(folder: Path, lock: Lock | None, settings: Settings) -> bool:
    """Whether this version of mcpgen generated the lock's server from the same settings."""
    if lock is None or lock.mcpgen != __version__:
        return False
    own = relative_to(seen_from_here(settings, folder), folder)
    return lock.settings_sha256 == _settings_hash(own)


def is_fresh(folder: Path, lock: Lock, settings: Settings) -> bool:
    """Whether document, settings, templates, mcpgen and all files still match the lock.

    False if the document was fetched or read from standard input: it may have changed.
    """
    own_settings = relative_to(settings, folder)
    return (
        lock.mcpgen == __version__
        and lock.settings_sha256 == _settings_hash(own_settings)
        and _same_sources(lock, settings)
        and lock.templates_sha256 == _templates_hash(own_templates(settings), settings)
        and all(_same(folder / path, h) for path, h in {**lock.files, **lock.merged}.items())
    )


def _same_sources(lock: Lock, settings: Settings) -> bool:
    locations = (settings.source, *(each.source for each in settings.with_))
    if not lock.sources or any(each in ("", "-") or "://" in each for each in locations):
        return False
    beside = Path(settings.source).parent
    return all(
        "://" not in name and _source_hash(beside / name) == digest
        for name, digest in lock.sources.items()
    )


def _source_hash(path: Path) -> str:
    """The hash of a file of a document; empty if the file does not exist."""
    return file_digest(path) if path.is_file() else ""


def _same(path: Path, digest: str) -> bool:
    """Whether a file has the hash in the lock, ignoring line ends, which git may change."""
    return path.is_file() and file_digest(path) == digest


def _settings_hash(settings: Settings) -> str:
    tables = {name: table for name, table in settings.tools.items() if table}
    text = json.dumps(asdict(replace(settings, tools=tables)), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _templates_hash(overrides: Path | None, settings: Settings) -> str:
    own = _contents(overrides, _may_be_included) if overrides else b""
    runtime = _shipped(RUNTIME) if settings.runtime == "vendored" else b""
    return hashlib.sha256(_shipped(templates_folder()) + runtime + own).hexdigest()


@cache
def _shipped(folder: Path) -> bytes:
    return _contents(folder)


def _may_be_included(name: PurePath) -> bool:
    """Whether a template may include a file: no part of its path may start with a dot."""
    return not any(part.startswith(".") for part in name.parts)


def _contents(folder: Path, more: Callable[[PurePath], bool] = lambda _: False) -> bytes:
    """A sorted list of files in a folder, each with its hash.

    It has all templates and modules, and the other files that `more` accepts.
    """
    listing = b""
    for path in in_order(folder.rglob("*")):
        name = path.relative_to(folder)
        if (path.suffix in (".jinja", ".py", ".typed") or more(name)) and path.is_file():
            content = file_digest(path)
            listing += f"{content}  {name.as_posix()}\n".encode("utf-8", "surrogateescape")
    return listing
