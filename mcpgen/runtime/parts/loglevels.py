"""`logging/setLevel` of clients before 2026-07-28: the log level of handlers' messages.

Later clients send the level with each request, which the MCP SDK handles itself.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, get_args

from mcp_types import EmptyResult, LoggingLevel, SetLevelRequestParams
from pydantic_core import to_jsonable_python

from ..backend.response import headers_of
from ..values.jsontext import scrub_value

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ..calls.server import ServerParts

_LEVELS: tuple[str, ...] = get_args(LoggingLevel)
_MAX_SESSIONS = 10_000
"""How many sessions are remembered; the oldest then gets every line again."""


class LogLevels:
    """The log level of each session; over stdio there is one session, without an id.

    No level is kept over HTTP without sessions.
    """

    def __init__(self) -> None:
        self._chosen: dict[str | None, int] = {}

    async def choose(
        self, request: ServerRequestContext[Any], params: SetLevelRequestParams
    ) -> EmptyResult:
        """Answer `logging/setLevel`: set the lowest level of the messages that the session gets."""
        headers = headers_of(request)
        session = headers.get("mcp-session-id")
        if headers and not session:
            return EmptyResult()
        self._chosen.pop(session, None)
        self._chosen[session] = _LEVELS.index(params.level)
        if len(self._chosen) > _MAX_SESSIONS:
            del self._chosen[next(iter(self._chosen))]
        return EmptyResult()

    async def log(
        self, request: ServerRequestContext[Any], level: LoggingLevel, data: Any, logger: str | None
    ) -> None:
        """Send a log message, unless it is below the level that the session chose."""
        session = headers_of(request).get("mcp-session-id")
        if _LEVELS.index(level) < self._chosen.get(session, 0):
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that later revisions drop it is known
            sending = request.session.send_log_message(
                level, _logged(data), logger, request.request_id
            )
        await sending


def _logged(data: Any) -> Any:
    try:
        value = to_jsonable_python(data, by_alias=True, bytes_mode="base64", serialize_unknown=True)
    except ValueError:  # in a circle, too deep, or with a number or a key that nothing can write
        return f"<{type(data).__name__}>"
    return scrub_value(value)


def install(parts: ServerParts) -> LogLevels:
    """Let clients choose the level of the messages they receive."""
    levels = LogLevels()
    parts.server.add_request_handler("logging/setLevel", SetLevelRequestParams, levels.choose)
    return levels
