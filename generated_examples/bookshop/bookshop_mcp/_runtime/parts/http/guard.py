"""Guards the server against its callers: permissions, rate limits and an audit log.

It is loaded only if a setting asks for it. The keys of issuers are kept for the whole process.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError
from starlette.requests import HTTPConnection

from ...backend.observing import OBSERVED, Observed
from ...calls.access import Access
from ...calls.caller import Caller
from ...calls.server import ServerParts
from ...calls.store import Full, Limits, Name, Store, StoreError, store_of
from ...results.content import error_result
from ...results.revisions import result_for
from ...values.errors import ToolError
from ...values.settings import ConfigurationError
from .exporting import is_exported, trace_headers
from .requests import WATCHED, Call, refusal
from .settings import OF_ISSUER, HttpSettings

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel import Server
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Scope

    from ...backend.session import Backend
    from ...calls.catalogue import Catalogue
    from ...credentials.api import Api

_OPENING = ("initialize", "subscriptions/listen")
"""Methods that open what stays open, and count as calls."""
_TOO_MANY_REQUESTS = 429
"""HTTP's code for too many requests: those that JSON-RPC and MCP reserve have meanings already."""
_SEAT, _RATE, _TOOL = "calls", "rate", "rate-of-tool"
"""Kinds of limits; a name with nothing else is that of all callers."""


def check(api: Api, settings: HttpSettings, tools: Catalogue | None) -> None:
    """Refuse settings that contradict each other, an unwritable log, and limits of unknown tools.

    `tools` are all tools that the server will have; None if others may be added.

    Raises:
        ConfigurationError: the message names the variable.
    """
    prefix = f"{api.env_prefix}_HTTP"
    ways = [
        f"{api.env_prefix}_{name.upper()}"
        for name in settings.ways
        if getattr(settings, name, None)
    ]
    if len(ways) > 1:
        raise ConfigurationError(f"{' and '.join(ways)} exclude each other")
    if settings.http_issuer and not settings.http_resource:
        raise ConfigurationError(
            f"{prefix}_ISSUER needs {prefix}_RESOURCE, the URL by which clients reach this server, "
            "such as https://mcp.example.com/mcp"
        )
    idle = [f"{api.env_prefix}_{name.upper()}" for name in OF_ISSUER if getattr(settings, name)]
    if idle and not settings.authorization_server:
        raise ConfigurationError(
            f"{prefix}_ISSUER must name the authorization server whose tokens callers must bring: "
            f"without it, {' and '.join(idle)} would have no effect"
        )
    limited = {name for name, _ in settings.calls_per_minute_by_tool} - {"*"}
    if tools is not None and not all(tools.get(name) for name in limited):
        raise ConfigurationError(
            f"{api.env_prefix}_CALLS_PER_MINUTE_BY_TOOL names a tool that this server does not have"
        )
    if settings.audit:
        from .audit import Audit

        Audit(api, settings).close()


class LimitReached(Exception):
    """A limit was reached; the message names the limit, and when to try again."""


Share = tuple[str, ...]
"""Whose calls are counted together."""


class Rates:
    """The configured limits of calls per minute and of concurrent calls; a store counts them."""

    def __init__(self, settings: HttpSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._by_tool = dict(settings.calls_per_minute_by_tool)
        self._opens = getattr(settings, "store_failure", "") == "open"

    @asynccontextmanager
    async def admitted(self, caller: Share, tool: str | None = None) -> AsyncIterator[None]:
        """Count a call until the `async with` block ends; also for its tool, if that is known.

        Raises:
            LimitReached: the call is not allowed now.
        """
        limits = Limits(self._seats(caller), self._rates(caller, tool))
        holder = token_hex(8)
        try:
            await self._heed(self._store.admit(limits, holder))
            yield
        finally:
            if limits.seats:
                with anyio.CancelScope(shield=True), suppress(StoreError):
                    await self._store.leave(limits.seats, holder)

    async def check(self, caller: Share) -> None:
        """Raise LimitReached if the caller's limits allow no further call now."""
        await self._heed(self._store.check(Limits(self._seats(caller), self._rates(caller))))

    async def take(self, caller: Share) -> None:
        """Count a call in the rate limits, but not as a concurrent call: it may stay open for long.

        Raises:
            LimitReached: the call is not allowed now.
        """
        await self._heed(self._store.admit(Limits(rates=self._rates(caller))))

    def take_of(self, caller: Share, tool: str) -> Awaitable[None] | None:
        """Count a call within another call, against the tool's own limit only.

        Returns None if the tool has no limit. Awaiting the result raises LimitReached as `take`
        does.
        """
        rates = self._of_tool(caller, tool)
        return self._heed(self._store.admit(Limits(rates=rates))) if rates else None

    def _seats(self, caller: Share) -> dict[Name, int]:
        own, all_ = self._settings.calls_at_once, self._settings.calls_at_once_in_all
        return _set({(_SEAT, *caller): own, (_SEAT,): all_})

    def _rates(self, caller: Share, tool: str | None = None) -> dict[Name, int]:
        own, all_ = self._settings.calls_per_minute, self._settings.calls_per_minute_in_all
        return {**_set({(_RATE, *caller): own, (_RATE,): all_}), **self._of_tool(caller, tool)}

    def _of_tool(self, caller: Share, tool: str | None) -> dict[Name, int]:
        most = None if tool is None else self._by_tool.get(tool, self._by_tool.get("*"))
        return _set({(_TOOL, tool or "", *caller): most})

    async def _heed(self, counting: Awaitable[Full | None]) -> None:
        try:
            full = await counting
        except StoreError as problem:
            if self._opens:
                return
            raise LimitReached(f"{problem} Nothing was done.") from None
        if full is not None:
            raise LimitReached(self._limit_text(full))

    def _limit_text(self, full: Full) -> str:
        kind, *who = full.name
        settings, whose = self._settings, "from you" if who else "in all"
        if kind == _SEAT:
            most = settings.calls_at_once if who else settings.calls_at_once_in_all
            return (
                f"This server runs {most} calls {'of yours' if who else 'in all'} at a time, and "
                f"{most} are running. Nothing was done: call again when one of them has ended."
            )
        most = settings.calls_per_minute if who else settings.calls_per_minute_in_all
        if kind == _TOOL:
            most, whose = (
                self._by_tool.get(who[0], self._by_tool.get("*")),
                f"of `{who[0]}` from you",
            )
        wait = max(1, math.ceil(full.wait))
        return (
            f"This server accepts {most} calls a minute {whose}. Nothing was done: call again in "
            f"{wait} second{'' if wait == 1 else 's'}."
        )


def _set(limits: Mapping[Name, int | None]) -> dict[Name, int]:
    """The limits that are set, by name."""
    return {name: most for name, most in limits.items() if most is not None}


class Guard:
    """A middleware that sees each message before its handler does."""

    def __init__(self, parts: ServerParts) -> None:
        settings = parts.settings_of(HttpSettings)
        self._parts = parts
        self._settings = settings
        self._access = Access.of(parts)
        self._gated = settings.callers_sign_in
        self.called: Callable[[Mapping[str, Any], Mapping[str, Any]], Any] = _called
        """The name of the tool that a request over HTTP calls, by its ASGI scope and params."""
        self._rates = Rates(settings, store_of(parts))
        self.named: Callable[[], Any] | None = None
        """Makes the verifier of tokens with names, where there are some."""
        self.issuing: Callable[[Backend, Sequence[str]], Any] | None = None
        """Makes what issues tokens and verifies them, where this server does, of its endpoints."""
        self.counting: Callable[[], Any] | None = None
        """Makes what counts calls over HTTP, where the settings ask for it."""
        self.metrics: Any = None
        """What counts them."""
        self.audit: Any = None
        if settings.audit:
            from .audit import Audit

            self.audit = Audit(parts.api, settings, parts.apis.values())
        self._telemetry: Any = None
        if is_exported(os.environ):
            from . import telemetry

            telemetry.start(parts.info.name, parts.info.version)
            self._telemetry = telemetry

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer a message, or pass it on to be answered."""
        counted = getattr(ctx.request, "scope", {}).get("mcp_counted")
        if ctx.method in _OPENING and not counted:
            await self.open(ctx.method, Caller.of(ctx.request))
        watched = ctx.method in WATCHED and not _is_listed(ctx)
        result = await (self._watched(ctx, call_next) if watched else call_next(ctx))
        if not (self._gated and isinstance(result, Mapping)):
            return result
        return {**result, "cacheScope": "private"} if "cacheScope" in result else result

    async def _watched(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        call = Call.of(ctx)
        observed: Observed = self._telemetry.Traced() if self._telemetry else Observed()
        began, outcome = time.monotonic(), "failed"
        tool = self._tool(call, ctx.lifespan_context.parts)

        def record(outcome: str) -> None:
            self._record(call, tool, outcome, observed, time.monotonic() - began)

        observed.on_end = record
        if self._settings.trace_upstream:
            observed.upstream = trace_headers
        if self.metrics:
            observed.on_token = self.metrics.renewed
        watching = OBSERVED.set(observed)
        try:
            # The gate has answered most of those by 403. What it cannot read in a body, it passes.
            if call.tool is not None and not self._access.is_in_scope(call.caller, call.tool):
                is_on = self._access.is_on(ctx.request, call.tool)
                outcome = "forbidden" if is_on else outcome
                raise self._access.unknown_tool(ctx.request, call.tool)
            limited = call.tool if tool else _read_by(ctx, call)
            async with self._rates.admitted(call.caller.share, limited):
                result = await call_next(ctx)
            failed = isinstance(result, Mapping) and result.get("isError")
            outcome = "error" if failed else "ok"
            return result
        except LimitReached as limit:
            outcome = "limited"
            if call.tool is None:
                raise MCPError(code=_TOO_MANY_REQUESTS, message=str(limit)) from None
            return result_for(ctx.protocol_version, error_result(str(limit)))
        except MCPError:
            outcome = "forbidden" if outcome == "forbidden" else "refused"
            raise
        except anyio.get_cancelled_exc_class():
            outcome = "cancelled"
            raise
        finally:
            OBSERVED.reset(watching)
            if not observed.goes_on:
                record(outcome)

    def _tool(self, call: Call, parts: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The definition of the called tool in the running server, or else in the package."""
        if call.tool is None:
            return None
        changes = parts.get("changes")
        now: Mapping[str, Any] | None = changes and changes.catalogue.get(call.tool)
        return now or self._parts.catalogue.get(call.tool)

    def _record(
        self,
        call: Call,
        tool: Mapping[str, Any] | None,
        outcome: str,
        observed: Observed,
        seconds: float,
    ) -> None:
        if self.audit is not None:
            schema = tool["inputSchema"] if tool else {}
            self.audit.write(call, schema, outcome, observed, seconds)
        if self._telemetry:
            self._telemetry.measure(call.method, call.name if tool else "", outcome, seconds)
        if self.metrics:
            name = call.name if tool else ""
            self.metrics.called(call.method, name, outcome, seconds, observed.requests)

    async def open(self, method: str, caller: Caller) -> None:
        """Count a stream or session that stays open; raises MCPError beyond the limit."""
        try:
            await self._rates.take(caller.share)
        except LimitReached as limit:
            if self.metrics:
                self.metrics.called(method, "", "limited", 0.0, ())
            raise MCPError(code=_TOO_MANY_REQUESTS, message=str(limit)) from None

    def admit(
        self, ctx: ServerRequestContext[Any], tool: Mapping[str, Any], _: Mapping[str, Any]
    ) -> Awaitable[None] | None:
        """Refuse a handler's call of another tool if the caller lacks scopes or has hit a limit."""
        caller, name = Caller.of(ctx.request), tool["name"]
        if not self._access.is_in_scope(caller, name):
            scopes = " ".join(self._access.challenge(caller, name))
            raise ToolError(f"This needs the tool `{name}`, and you lack its scopes: {scopes}.")
        counting = self._rates.take_of(caller.share, name)
        return None if counting is None else _refusing(counting)

    async def check(self, scope: Scope) -> None:
        """Refuse an HTTP request of a caller that has reached a limit, before it is read."""
        try:
            await self._rates.check(Caller.of(HTTPConnection(scope)).share)
        except LimitReached as limit:
            raise refusal(_TOO_MANY_REQUESTS, _TOO_MANY_REQUESTS, str(limit)) from None

    def forbidden(self, caller: Caller, tool: str) -> None:
        """Record a call that was refused for missing scopes; its body was not read yet."""
        call = Call("tools/call", tool, caller)
        self._record(call, self._tool(call, {}), "forbidden", Observed(), 0.0)

    async def flush(self) -> None:
        """Export the last spans and durations, if they are exported at all."""
        if self._telemetry:
            await self._telemetry.flush()

    def gated(self, endpoints: Mapping[str, ASGIApp]) -> tuple[dict[str, ASGIApp], list[BaseRoute]]:
        """The endpoints behind the sign-in that the settings require, and the routes that it adds.

        The keys are the endpoints' paths, relative to the server's path.
        """
        if not self._gated:
            return dict(endpoints), []
        from ...backend.session import Backend, Connections, Hooks
        from .gate import Gate, metadata_routes, verifier

        settings = self._settings
        connections = Connections(settings)
        backend = Backend(self._parts.api, settings, connections, Hooks(None), "mcp-server/1")
        paths = tuple(endpoints)
        gates: dict[str, ASGIApp] = {}
        issuing = self.issuing and self.issuing(backend, paths)
        tokens = issuing or verifier(settings, backend, paths, self.named)
        routes: list[BaseRoute] = issuing.routes() if issuing else []
        for path, endpoint in endpoints.items():
            shared = settings, self._access, self.forbidden, self.called, tokens
            gates[path] = Gate(endpoint, *shared, path)
            routes += metadata_routes(settings, self._access, path)
        return gates, routes


async def _refusing(counting: Awaitable[None]) -> None:
    """Await the counting of a call; raises ToolError if a limit is reached."""
    try:
        await counting
    except LimitReached as limit:
        raise ToolError(str(limit)) from None


def _called(_: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
    return params["name"]


def _read_by(ctx: ServerRequestContext[Any, Any], call: Call) -> Any:
    """The name of the tool that serves a `resources/read`; None if no tool does."""
    resources = ctx.lifespan_context.parts.get("resources")
    if not resources or ctx.method != "resources/read":
        return None
    return resources.served_at(call.name).get("tool")


def _is_listed(ctx: ServerRequestContext[Any, Any]) -> Any:
    """Whether a request completes an argument whose values are a fixed list."""
    completions = ctx.lifespan_context.parts.get("completion")
    if not completions or ctx.method != "completion/complete":
        return False
    return completions.is_listed(ctx.params or {})


def install(parts: ServerParts) -> Guard:
    """Put a guard before a server's handlers."""
    guard = Guard(parts)
    parts.server.middleware.append(guard)
    return guard


def of(server: Server[Any]) -> Guard:
    """The guard of a server."""
    return next(each for each in server.middleware if isinstance(each, Guard))
