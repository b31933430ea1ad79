"""The context of a call, which its handler gets."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

from ..backend.response import headers_of
from ..values.errors import ToolError
from ..values.seams import ASKING, lacking

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.context import ServerRequestContext

    from ..backend.client import ApiClient
    from ..schemas.validation import ArgumentValidator

_LEVELS = {"debug": 10, "info": 20, "notice": 20, "warning": 30, "error": 40}
"""Python's numbers for the protocol's levels; those above are 50."""


@dataclass(frozen=True)
class Reply:
    """The user's reply to a question; `content` holds the fields of the form."""

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Whether the user answered, and did not decline or cancel."""
        return self.action == "accept"


@dataclass(frozen=True)
class Context:
    """A call: the API's client, the object of `hooks.lifespan`, and the MCP request.

    `tool` is the tool's name; for a resource it is its URI, for a prompt the prompt's name.
    """

    api: ApiClient
    state: Any
    tool: str
    request: ServerRequestContext[Any]
    params: types.InputResponseRequestParams
    """The call as it came, with `input_responses` and `request_state`."""
    validator: ArgumentValidator | None = None
    """Checks values against the tool's inputSchema."""
    apis: Mapping[str, ApiClient] = field(default_factory=dict)
    """The clients of further APIs by name, where the server has several sources."""
    serves: str = ""
    """The tool whose handler runs; empty until one does. Its handlers may call others."""
    asked: list[Any] = field(default_factory=list)
    """What asks the user in this call, which handlers share that call each other."""
    stopped: Event = field(default_factory=Event)
    """Set when the client cancels: a plain function in its thread has to look at it."""

    async def report_progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the client how far the call is, if the client asked and the number has grown."""
        if self.api.report is not None:
            await self.api.report(done, total, message)

    async def log(self, level: types.LoggingLevel, data: Any, logger: str | None = None) -> None:
        """Send the client a line for its log; since 2026-07-28 only if the call asks for logs.

        A value that cannot be written as JSON is replaced, so that a line never fails the call. A
        server whose tools all come from HTTP operations offers clients no log, and writes the line
        to its own log.
        """
        levels = self.request.lifespan_context.able("log")
        if levels is None:
            logging.getLogger(logger or __name__).log(_LEVELS.get(level, 50), "%s", data)
            return
        await levels.log(self.request, level, data, logger)

    async def ask(self, message: str, schema: Mapping[str, Any], key: str | None = None) -> Reply:
        """Ask the user to fill in a form; `schema` describes an object of primitive properties.

        On the newest protocol the handler runs again from its start once the user has answered:
        before you ask, do nothing that must not be done twice. Questions of one call are matched to
        their answers by their order, or by `key`.

        Raises:
            MCPError: the client cannot ask its user.
            ToolError: the answer does not fit, or an older client cannot ask.
            ValueError: `schema` does not describe a form.
        """
        reply: Reply = await self._asking.ask(message, schema, key)
        return reply

    async def read_resource(
        self, uri: str
    ) -> Sequence[types.TextResourceContents | types.BlobResourceContents]:
        """Read a resource of this server, as a client of the server would.

        Raises:
            MCPError: there is no such resource, or it cannot be read.
            ToolError: it cannot be read without asking the user, whose answer would not reach it.
        """
        from mcp.shared.exceptions import MCPError
        from mcp_types import INVALID_PARAMS

        resources = self.request.lifespan_context.able("contents")
        if resources is None:
            raise MCPError(INVALID_PARAMS, "This server has no resources", {"uri": uri})
        contents: Sequence[Any] = await resources.contents(self.request, uri, self.api.report)
        return contents

    @property
    def _asking(self) -> Any:
        if not self.asked:
            asking = self.request.lifespan_context.able("questions_of")
            if asking is None:
                raise ToolError(lacking(ASKING, "asks users"))
            self.asked.append(asking.questions_of(self.request, self.params))
        return self.asked[0]

    @property
    def request_id(self) -> str | int | None:
        """The JSON-RPC id of the call."""
        return self.request.request_id

    @property
    def session_id(self) -> str | None:
        """The session over HTTP; only clients before 2026-07-28 have sessions."""
        return self.headers.get("mcp-session-id")

    @property
    def client_info(self) -> types.Implementation | None:
        """Name and version of the client, if it sends them."""
        params = self.request.session.client_params
        return None if params is None else params.client_info

    @property
    def client_capabilities(self) -> types.ClientCapabilities | None:
        """The capabilities that the client declared."""
        return self.request.session.client_capabilities

    @property
    def meta(self) -> Mapping[str, Any]:
        """The `_meta` of the call."""
        return dict(self.request.meta or {})

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the HTTP request that contained the call; empty over stdio."""
        return headers_of(self.request)

    @property
    def authorization(self) -> str | None:
        """The Authorization header that the client sent to this server; never pass it on."""
        return self.headers.get("authorization")


class InputNeeded(BaseException):
    """Ends a call to ask the user; the client then repeats the call with the answer.

    It is not an `Exception`, so no `except Exception` catches it.
    """

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__("the call is repeated with the user's answer")
        self.result = result
