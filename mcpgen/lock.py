"""`mcpgen.lock`: what a server was generated from, and the hash of every file we wrote.

The file is for people to review and for later runs to read: no timestamp, no absolute path, one
fact a line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import __version__
from .api import Api
from .naming import KnownNames, Names

FILE_NAME = "mcpgen.lock"
VERSION = 1


class LockError(Exception):
    """A lock that cannot be read; the message says why and what to do."""


@dataclass(frozen=True)
class Lock:
    """The facts of one generation."""

    mcpgen: str
    source: str
    source_sha256: str
    tools: Mapping[str, str] = field(default_factory=dict)
    """Tool names by `METHOD path`."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """Handler modules by tag."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """Handler functions by tool name."""
    keywords: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Handler keywords by tool name and argument, where the two differ."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Class names by the place of their schema."""
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file as it was written."""


def make(source: str, source_sha256: str, api: Api, names: Names) -> Lock:
    """The lock of a generation, without its files."""
    keywords = {
        tool: {argument: word for argument, word in words.items() if argument != word}
        for tool, words in names.keywords.items()
    }
    return Lock(
        mcpgen=__version__,
        source=source,
        source_sha256=source_sha256,
        tools={f"{t.call.method} {t.call.path}": t.name for t in api.tools if t.written is None},
        modules=dict(names.modules),
        functions=dict(names.functions),
        keywords={tool: words for tool, words in keywords.items() if words},
        classes=dict(names.classes),
    )


def known_names(lock: Lock | None) -> KnownNames | None:
    """The names that a lock remembers, for the naming stage."""
    if lock is None:
        return None
    return KnownNames(lock.modules, lock.functions, lock.keywords, lock.classes)


def digest(text: str) -> str:
    """The hash a lock keeps of a file's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def to_text(lock: Lock) -> str:
    """The lock as the text of its file."""
    return json.dumps({"lock": VERSION, **asdict(lock)}, indent=2, ensure_ascii=True) + "\n"


def read(folder: Path) -> Lock | None:
    """The lock in a server's folder, or None where there is none.

    Raises LockError for one that is damaged or of a newer version.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        version = data.pop("lock")
        if not isinstance(version, int) or version > VERSION:
            raise LockError(f"{path} was written by a newer mcpgen; upgrade mcpgen to use it")
        return Lock(**data)
    except (ValueError, TypeError, KeyError, AttributeError):
        reason = f"{path} is damaged; restore it from version control, or delete it and use --force"
        raise LockError(reason) from None
