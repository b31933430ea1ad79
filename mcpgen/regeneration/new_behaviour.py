"""New behaviour since the server was generated that no other message reports.

If people or clients may have to adapt to a change, add a row for it here, and raise the version of
the lock.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ..bundled.parts import HTTP, needs_session
from ..diagnostics import Diagnostics
from ..lock import Lock
from ..package import Package
from ..runtime.parts.http import sessions
from ..settings import Settings
from ..settings.values import server_defaults
from .server_folder import ServerFolder

CODE = "new-behaviour"


class Server(Struct, frozen=True):
    """A server that is being generated again."""

    package: Package
    settings: Settings
    old_lock: Lock
    folder: ServerFolder

    @property
    def keeps_sessions(self) -> bool:
        """Whether older clients still have sessions over HTTP."""
        return any(map(needs_session, self.package.parts)) or any(
            sessions.are_used(content.data)
            for path in self.folder.modules(self.old_lock.files)
            if "/_runtime/" not in path and (content := self.folder.content(path))
        )


class _Row(Struct, frozen=True):
    lock: int
    """The version of the lock since which servers behave this way."""
    touches: Callable[[Server], bool]
    message: str
    hint: str


_ROWS = (
    _Row(
        7,
        lambda server: server_defaults(server.settings).get("http_anonymous") is False,
        "over HTTP, nobody is served until callers can sign in, because some settings need that",
        "Set {}_HTTP_TOKEN or {}_HTTP_ISSUER; or let anybody call: {}_HTTP_ANONYMOUS=true.",
    ),
    _Row(
        8,
        lambda server: HTTP in server.package.parts and not server.keeps_sessions,
        "over HTTP, clients with a protocol older than 2026-07-28 no longer have a session",
        "{}_HTTP_STATELESS=false gives them one.",
    ),
    _Row(
        8,
        lambda server: server.package.calls_api,
        "an answer of more than 10,000 tokens is cut, and says how to get the rest",
        "{}_RESULT_TOKENS, or `result_tokens` of a tool, lets models read more.",
    ),
    _Row(
        8,
        lambda server: server.old_lock.surface == server.settings.surface == "search",
        "`call_read_tool` and its siblings answer with text: a list of similar objects is a table",
        '`"as": "json"` in a call gives JSON, and structured content.',
    ),
)


def tell(server: Server, diagnostics: Diagnostics) -> None:
    """Note changes in mcpgen's behaviour since the lock's version; this run renews the lock."""
    for row in _ROWS:
        if 0 < server.old_lock.lock < row.lock and row.touches(server):
            hint = row.hint.replace("{}", server.package.env_prefix)
            diagnostics.note(CODE, row.message, hint=f"{hint} This note appears once.")
