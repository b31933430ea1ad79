"""Who a caller is, what it asks for, and which tools its scopes let it see and call."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from mcp_types import PARSE_ERROR
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..backend.response import headers_of
from ..backend.threads import LARGE, aside
from ..calls.catalogue import read_json
from ..values.jsontext import NotJson, check_brackets

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from starlette.types import Message, Receive, Scope

    from ..calls.catalogue import Catalogue, ServerInfo
    from ..credentials.auth import Api
    from ..values.settings import Settings

FILE = "access.json"
NAMELESS = "token-"
"""How the client ids begin that stand for tokens which name nobody."""
SHARED_TOKEN = "http-token"
"""The client id of whoever brings the one token of the server's environment."""
WATCHED = {
    "tools/call": ("tool", "name"),
    "resources/read": ("resource", "uri"),
    "prompts/get": ("prompt", "name"),
    "completion/complete": ("completion", "ref"),
}
"""Methods that are limited and written down: what they name, and by which parameter."""


@dataclass(frozen=True)
class Caller:
    """The sender of a request; all who do not sign in count as one caller."""

    client: str = ""
    subject: str = ""
    issuer: str = ""
    scopes: frozenset[str] | None = field(default=None, compare=False)
    """None: no scopes limit it. They are no part of who it is."""

    @classmethod
    def of(cls, request: Any) -> Caller:
        """The caller of an HTTP request, or of a message that came without one."""
        scope: Mapping[str, Any] = getattr(request, "scope", None) or {}
        token: AccessToken | None = getattr(scope.get("user"), "access_token", None)
        if token is None:
            return cls()
        if token.claims is None:
            return cls(client=token.client_id)
        issuer = str(token.claims.get("iss", ""))
        return cls(token.client_id, token.subject or "", issuer, frozenset(token.scopes))

    @property
    def is_known(self) -> bool:
        """Whether a token tells who it is: none does, nor one that all callers share."""
        return self not in (Caller(), Caller(SHARED_TOKEN))

    @property
    def share(self) -> tuple[str, str, str]:
        """Under whom its calls count: a person may have many clients, and many tokens."""
        client = "" if self.subject or self.client.startswith(NAMELESS) else self.client
        return self.issuer, self.subject, client


def share_of(request: ServerRequestContext[Any]) -> object:
    """Under whom counts what is kept or open for a caller; empty where nothing tells who it is."""
    caller = Caller.of(request.request)
    return caller.share if caller.is_known else owner_of(request)


def owner_of(request: ServerRequestContext[Any]) -> str:
    """For whom a task or an answer is kept: whoever signed in, with whatever token.

    A token that all callers share, or none, does not tell who it is: then the session and the
    credentials that came along do. Where there is neither, as over stdio, it is empty.
    """
    caller = Caller.of(request.request)
    who: list[str | None] = [caller.client, caller.issuer, caller.subject]
    if not caller.is_known:
        names = ("mcp-session-id", *request.lifespan_context.caller_headers)
        who = [headers_of(request).get(name) for name in names]
        if not any(who):
            return ""
    return sha256(json.dumps(who).encode()).hexdigest()


@dataclass(frozen=True)
class Call:
    """A request of a caller."""

    method: str
    name: str
    """The name or URI that it is about."""
    caller: Caller
    arguments: Any = field(default=None, repr=False)
    request_id: str | int | None = None
    """The JSON-RPC id."""

    @classmethod
    def of(cls, ctx: ServerRequestContext[Any, Any]) -> Call:
        """The call that a message makes, by one of the watched methods."""
        params = ctx.params or {}
        about = params.get(WATCHED[ctx.method][1], "")
        if isinstance(about, Mapping):  # what is completed is a prompt's argument or a template's
            about = about.get("name") or about.get("uri", "")
        caller, arguments = Caller.of(ctx.request), params.get("arguments")
        return cls(ctx.method, str(about), caller, arguments, ctx.request_id)

    @property
    def tool(self) -> str | None:
        """The name, if it is that of a tool."""
        return self.name if self.method == "tools/call" else None


class Access:
    """Scopes by tool: alternatives, one of which a caller must have whole."""

    def __init__(self, alternatives: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._own = {
            name: [frozenset(scopes) for scopes in each] for name, each in alternatives.items()
        }
        self._needed = self._own

    def __bool__(self) -> bool:
        return bool(self._needed)

    def demand(self, tool: str, scopes: Iterable[str] | None) -> None:
        """Want these scopes for a tool from now on; None: again those of the package, if any."""
        own = self._own.get(tool, []) if scopes is None else [frozenset(scopes)]
        others = {name: each for name, each in self._needed.items() if name != tool}
        self._needed = {**others, tool: own} if any(own) else others

    def allows(self, caller: Caller, tool: str) -> bool:
        """Whether a caller may see and call a tool."""
        needed = self._needed.get(tool)
        scopes = caller.scopes
        return needed is None or scopes is None or any(each <= scopes for each in needed)

    def challenge(self, caller: Caller, tool: str) -> list[str]:
        """The scopes to ask for: the alternative of which the caller lacks fewest."""
        had = caller.scopes or frozenset()
        needed: list[frozenset[str]] = self._needed.get(tool) or [frozenset()]
        fewest = min(needed, key=lambda each: len(each - had))
        return sorted(fewest)

    def scopes(self, more: Iterable[str]) -> list[str]:
        """Every scope that some tool needs, and `more`."""
        every = (scope for each in self._needed.values() for scopes in each for scope in scopes)
        return sorted({*every, *more})


@dataclass(frozen=True)
class Parts:
    """A server and what it is made of, as the guard and features see it."""

    server: Server[Any]
    settings: Settings
    package: str
    """The import package."""
    info: ServerInfo
    api: Api
    apis: Mapping[str, Api]
    """The further APIs."""
    catalogue: Catalogue
    may_use: Callable[..., Any] | None
    """The author's `may_use(tool, headers)` in `hooks.py`."""

    @cached_property
    def access(self) -> Access:
        """The scopes of its tools; without an issuer, or a file of tokens, nobody has any."""
        alternatives = {}
        if self.settings.http_issuer or self.settings.http_tokens_file:
            with suppress(FileNotFoundError):
                alternatives = read_json(self.package, FILE)
        return Access(alternatives)


def refusal(status: int, code: int, message: str, request_id: Any = None) -> HTTPException:
    """The exception by which Starlette answers a request with a JSON-RPC error."""
    error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
    return HTTPException(status, json.dumps(error), {"Content-Type": "application/json"})


async def peeked(scope: Scope, receive: Receive, largest: int) -> tuple[Receive, bytes]:
    """The beginning of an HTTP request's body, and a `receive` that replays it.

    Raises:
        ClientDisconnect: the client has hung up.
        HTTPException: it is large and its caller over a limit, or it cannot be parsed in time.
    """
    messages: deque[Message] = deque()
    body = bytearray()
    while len(body) <= largest:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        messages.append(message)
        body += message.get("body", b"")
        if len(body) >= LARGE and (guard := scope["app"].state.guard):
            guard.check(scope)
        if not message.get("more_body", False):
            break

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    try:
        await aside(len(body), partial(check_brackets, bytes(body)))
    except NotJson as problem:
        raise refusal(400, PARSE_ERROR, f"The request {problem}") from None
    return again, bytes(body)
