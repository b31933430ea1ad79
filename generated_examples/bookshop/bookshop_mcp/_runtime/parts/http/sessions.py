"""Whether clients before 2026-07-28 have sessions over HTTP: only where a server needs them.

A session binds its client to one process, and takes memory until it ends. Without one, a request
still has its progress and its log, but the server has no way to a client beside its requests, and
knows nothing of the client itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from .settings import HttpSettings

if TYPE_CHECKING:
    from ...app.builder import Builder

_USES = re.compile(
    rb"\.(?:ask|log)\(|request\.session\b"
    rb"|\.(?:client_capabilities|client_info|client_params|session_id)\b"
)
"""What people write in handlers that only a session serves; `log` because clients set its level."""
_RUNTIME = "_runtime"


def are_kept(app: Builder, settings: HttpSettings) -> bool:
    """Whether older clients of a server have sessions."""
    return needed(app) if settings.http_stateless is None else not settings.http_stateless


def needed(app: Builder) -> bool:
    """Whether something of a server is only for clients that have sessions."""
    if any(needs for _, needs in app.parts.having("NEEDS_SESSION")):
        return True
    return any(map(are_used, _texts(files(app.package))))


def are_used(text: bytes) -> bool:
    """Whether a module does what only a session serves."""
    return _USES.search(text) is not None


def _texts(folder: Traversable) -> Iterator[bytes]:
    """The modules that people may have written."""
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != _RUNTIME:
            yield from _texts(entry)
        elif entry.name.endswith(".py"):
            yield entry.read_bytes()
