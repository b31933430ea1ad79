"""Whether clients before 2026-07-28 have sessions over HTTP: only if a server needs them.

A session binds its client to one process, and takes memory until it ends. Without a session, a
request still has its progress and its log, but the server can send nothing to the client outside a
request, and knows nothing about the client.
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
    """Whether a feature of a server works only for clients that have sessions."""
    if any(needs for _, needs in app.parts.having("NEEDS_SESSION")):
        return True
    return any(map(are_used, _texts(files(app.package))))


def are_used(text: bytes) -> bool:
    """Whether the text of a module uses something that works only with sessions."""
    return _USES.search(text) is not None


def _texts(folder: Traversable) -> Iterator[bytes]:
    """The source of each module in the server's package, except those of the runtime."""
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != _RUNTIME:
            yield from _texts(entry)
        elif entry.name.endswith(".py"):
            yield entry.read_bytes()
