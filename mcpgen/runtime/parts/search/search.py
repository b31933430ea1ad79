"""The search surface: agents find, read and call any number of tools through a few tools.

A call through one of the calling tools becomes a call of the tool itself before anything else sees
it, so it is checked, limited, recorded and answered like a direct call.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import cached_property, partial
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from ...backend.response import Response
from ...backend.threads import LARGE, aside, size_of
from ...calls.access import Access
from ...calls.catalogue import Catalogue as ToolCatalogue
from ...calls.catalogue import read_json
from ...calls.server import ServerParts
from ...results.content import error_result
from ...results.limits import ResultLimit
from ...results.revisions import page, result_for, summarized, tools_for
from ...schemas.validation import ArgumentValidator
from ...values.errors import ToolError
from ..outlines import Outline, check_fields, outline_of_schema, outline_of_text
from . import calls, pages
from .answers import CALLING, DESCRIBE, EFFECTS, FIND, READ, WRITE, Catalogue, own_tools
from .calls import NO_DATA, VIA, Via
from .each import AT_ONCE, Each
from .hints import hint
from .index import FILE, Definitions, SearchIndex
from .settings import SearchSettings
from .tables import size_of_json, size_of_text

if TYPE_CHECKING:
    from mcp.server.context import CallNext, ServerRequestContext
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ...calls.calls import Serve
    from ...calls.context import Context

logger = logging.getLogger(__name__)

_INTRODUCED = ("initialize", "server/discover")
_NO_INDEX = (
    "This server's search index cannot be used: whoever runs it should run `mcpgen update`. Its "
    "tools can still be called by their own names."
)
_LIMITS = ("calls_at_once", "calls_at_once_in_all")
"""Settings that say how many calls of a caller may run at a time, and of all."""


SURFACE: ContextVar[str] = ContextVar("surface", default="")
"""The surface of the path of an HTTP request; empty: the server's own."""


class Search:
    """The search surface of one server."""

    def __init__(self, parts: ServerParts) -> None:
        self._parts = parts
        self._settings = parts.settings
        self._access = Access.of(parts)
        self.surface = parts.settings.surface or "tools"
        self._list = _handler(parts.server, "tools/list")
        self._call = _handler(parts.server, "tools/call")
        self._schema_of = parts.server.get_tool_input_schema

    @cached_property
    def index(self) -> SearchIndex:
        """The package's index.

        Raises:
            ToolError: the index is missing or damaged.
        """
        try:
            return SearchIndex(get_data(self._parts.package, FILE) or b"")
        except (OSError, ValueError) as problem:
            logger.error("search.json cannot be used (%s): run mcpgen update", problem)
            raise ToolError(_NO_INDEX) from None

    @cached_property
    def own(self) -> dict[str, dict[str, Any]]:
        """The tools that the search surface adds, as any caller sees them, by unprefixed name."""
        return self._own(self._catalogue(None))

    @cached_property
    def rules(self) -> Mapping[str, pages.Rule]:
        """The pagination rules by tool."""
        try:
            rules = read_json(self._parts.package, pages.FILE)
        except FileNotFoundError:
            return {}
        return {name: pages.Rule(**rule) for name, rule in rules.items()}

    def _own(self, catalogue: Catalogue) -> dict[str, dict[str, Any]]:
        info = self._parts.info
        tools = catalogue.own_tools(info.title or info.name, pages=bool(self.rules))
        return {tool["name"].removeprefix(self.index.prefix): tool for tool in tools}

    def surface_of(self, request: ServerRequestContext[Any]) -> str:
        """The request's surface, `tools` or `search`: from its path, else the server's default."""
        scope: Mapping[str, Any] = getattr(request.request, "scope", None) or {}
        return scope.get("mcp_surface") or self.surface

    def surfaces(self, endpoint: ASGIApp) -> dict[str, ASGIApp]:
        """The HTTP endpoint of each surface, keyed by its path below the server's endpoint."""
        paths = {"": self.surface, **{f"/{name}": name for name in ("tools", "search")}}
        return {path: _mark(endpoint, surface) for path, surface in paths.items()}

    def called(self, scope: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
        """The tool that an HTTP request calls, itself or through `call_read_tool` and the like."""
        name, arguments = params.get("name"), params.get("arguments")
        is_shown = (scope.get("mcp_surface") or self.surface) == "search"
        if is_shown and self._which(name, *CALLING):
            return arguments.get("name") if isinstance(arguments, Mapping) else None
        return name

    def _which(self, name: Any, *own: str) -> str:
        """The unprefixed name of a tool that the search surface adds; empty for any other tool."""
        if not isinstance(name, str) or not name.endswith(own):
            return ""
        return next((each for each in own if name == f"{self.index.prefix}{each}"), "")

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> Any:
        """A middleware that turns a call of `call_read_tool` into a call of the tool it names.

        It also adapts the instructions.
        """
        if self.surface_of(ctx) != "search":
            return await call_next(ctx)
        if ctx.method in _INTRODUCED:
            result: Any = await call_next(ctx)
            try:
                return {**result, "instructions": self._instructions(ctx)}
            except ToolError:
                return result
        if ctx.method != "tools/call":
            return await call_next(ctx)
        try:
            tool = self._which((ctx.params or {}).get("name"), *CALLING)
        except ToolError as problem:
            return result_for(ctx.protocol_version, error_result(problem.message))
        if not tool or not isinstance((ctx.params or {}).get("arguments"), Mapping | None):
            return await call_next(ctx)
        return await self._through(ctx, call_next, tool)

    async def _through(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext, tool: str
    ) -> Any:
        params = dict(ctx.params or {})
        via = Via(tool)
        try:
            asked = self._call_arguments(tool, params.get("arguments") or {})
            arguments = ArgumentValidator.of(self.own[tool]).check(asked)
            via = self._via(tool, arguments)
            if via.is_item:
                self._check(ctx, arguments["name"], via)
                if via.unfit:
                    raise ToolError(via.unfit)
            params |= {"name": arguments["name"], "arguments": arguments.get("arguments", {})}
        except ToolError as problem:
            via.refusal, via.is_item = problem.message, False
        token = VIA.set(via)

        def call(further: Mapping[str, Any]) -> Awaitable[Any]:
            return call_next(replace(ctx, params=further))

        try:
            if via.is_item and not via.refusal:
                return await self._each(ctx, call_next, via, params, arguments)
            result: Any = await call(params)
            if not via.is_joined or via.data is NO_DATA:
                return self._noted(result, via)
            answer = await self._paged(call, via, params, result)
            return self._sent(ctx.protocol_version, answer, via)
        except MCPError:
            if self._may(ctx)(params["name"]):
                raise
            text = self._absent(ctx, params["name"])
            return result_for(ctx.protocol_version, error_result(text))
        finally:
            VIA.reset(token)

    def _call_arguments(self, tool: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments of a tool that calls others; unknown ones go into its `arguments`."""
        own = self.own[tool]["inputSchema"]["properties"]
        beside = {name: value for name, value in given.items() if name not in own}
        inside = given.get("arguments")
        if not beside or not isinstance(inside, Mapping | None):
            return given
        kept = {name: value for name, value in given.items() if name in own}
        return {**kept, "arguments": {**beside, **(inside or {})}}

    def as_called(self, tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The tool and arguments with which an agent calls `tool`, directly or indirectly."""
        with suppress(ToolError):
            row = self.index.by_name.get(tool) if self.surface == "search" else None
            if row is not None:
                own = self.own[EFFECTS[row.effect]]["name"]
                return own, {"name": tool, "arguments": arguments}
        return tool, arguments

    def _via(self, tool: str, arguments: Mapping[str, Any]) -> Via:
        """The options of a call; raises ToolError for invalid ones."""
        name, count = arguments["name"], arguments.get("pages", 1)
        fields, is_json = arguments.get("fields", ()), arguments.get("as") == "json"
        outline = self._outline(name) if fields else None
        is_item, rule = "each" in arguments, self.rules.get(name)
        via = Via(tool, fields, outline, is_json, count, rule, is_item=is_item)
        via.collects = is_item or via.is_joined
        try:
            check_fields(fields, outline)
        except ToolError as problem:
            via.unfit = problem.message
        if count > 1 and not via.is_joined:
            why = "each call has one page" if is_item else f"it is not known how {name} pages"
            via.notes.append(f"`pages` was left out: {why}.")
        return via

    async def _each(
        self,
        ctx: ServerRequestContext[Any, Any],
        call_next: CallNext,
        via: Via,
        params: Mapping[str, Any],
        given: Mapping[str, Any],
    ) -> Any:
        """Make many calls of one tool, and return one answer to all of them."""
        is_read = via.tool == READ
        tool = self._definition(ctx, params["name"])
        each = Each(
            via,
            [{**params["arguments"], **own} for own in given["each"]],
            ResultLimit.of(self._settings, self._parts.api, tool),
            self._parts.settings_of(SearchSettings).each_timeout,
            stops=not is_read and given.get("on_error") != "continue",
        )

        def make(one: ServerRequestContext[Any, Any], arguments: Mapping[str, Any]) -> Any:
            return call_next(replace(one, params={**params, "arguments": arguments}))

        limits = (getattr(self._settings, name, None) for name in _LIMITS)
        await each.run(ctx, make, min([AT_ONCE, *filter(None, limits)]) if is_read else 1)
        result = await aside(LARGE, each.result)
        return self._sent(ctx.protocol_version, result, via)

    def _outline(self, name: str) -> Outline | None:
        """The outline of a tool's answer, as far as its document describes it."""
        row = self.index.by_name.get(name)
        if row is not None and row.answer:
            return outline_of_text(row.answer)
        schema = (self._parts.catalogue.get(name) or {}).get("outputSchema")
        outline = outline_of_schema(schema, schema) if schema else Outline()
        return outline if outline.is_known else None

    def _noted(self, result: Any, via: Via) -> Any:
        """The result with the notes for the agent as a further text, unless it is an error."""
        is_whole = result.get("resultType", "complete") == "complete" and "content" in result
        if not via.notes or not is_whole or result.get("isError"):
            return result
        notes = {"type": "text", "text": " ".join(dict.fromkeys(via.notes))}
        return {**result, "content": [*result.get("content", ()), notes]}

    def _sent(self, version: str, result: Any, via: Via) -> Any:
        """The result of a joined or repeated call, as the client's protocol version requires it."""
        result = result_for(version, self._noted(result, via))
        is_short = via.as_json and self._settings.result_text == "summary"
        return summarized(version, result) if is_short else result

    async def _paged(
        self,
        call: Callable[[Mapping[str, Any]], Awaitable[Any]],
        via: Via,
        params: Mapping[str, Any],
        first: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Call for further pages, and return an answer that joins them to `first`."""
        assert via.rule is not None
        tool = self._parts.catalogue.get(params["name"]) or {}
        limit = ResultLimit.of(self._settings, self._parts.api, tool)
        measure = size_of_json if via.as_json else size_of_text
        joined = pages.Joined(via.rule, limit.most_written, measure, via.data, first)
        stopped = await calls.further(call, via, params, joined, self._settings.timeout)
        if not stopped and via.following is None and via.says_more:
            stopped = pages.NO_CURSOR
        summary = joined.summary(via.following, stopped, is_hidden=via.is_hidden)
        make = calls.structured if via.as_json else calls.pages_as_text
        return await aside(LARGE, partial(make, joined.whole, joined.result, summary, limit, tool))

    async def list_tools(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> Any:
        """Answer `tools/list`; the search surface lists only its own and the pinned tools."""
        if self.surface_of(request) != "search":
            return await self._list(request, params)
        changes = request.lifespan_context.parts.get("changes")
        try:
            may, narrows = self._may(request), self._access.narrows(request.request)
            own = self._own(self._catalogue(request)) if narrows else self.own
            pinned = [self._definition(request, name) for name in self.index.pinned if may(name)]
        except ToolError:
            bare = own_tools("", _NO_INDEX, (), (), EFFECTS, pages=False)
            own, pinned = {tool["name"]: tool for tool in bare}, []
        tools = [*own.values(), *pinned]
        result = page("tools", tools, params.cursor, self._settings.page_size)
        kept = {"cacheScope": "private"} if changes else self._access.caching(request.request)
        return {**result, "tools": tools_for(request.protocol_version, result["tools"]), **kept}

    async def call(self, request: ServerRequestContext[Any], params: CallToolRequestParams) -> Any:
        """Answer `tools/call`, for a tool that the surface adds or for any other tool."""
        via = VIA.get()
        try:
            if via is None:
                shown = self.surface_of(request) == "search"
                own = self._which(params.name, FIND, DESCRIBE) if shown else ""
                if not own:
                    return await self._call(request, params)
                text = await aside(LARGE, partial(self._answer, request, own, params.arguments))
                result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
                return result_for(request.protocol_version, {"resultType": "complete", **result})
            via.is_reached = True
            self._check(request, params.name, via)
            if via.unfit:
                raise ToolError(await self._unfit(request, params, via))
        except ToolError as problem:
            return result_for(request.protocol_version, error_result(problem.message))
        result = await self._call(request, params)
        if result.get("isError") and not via.accepted:
            tool = self._definition(request, params.name)
            effect = self._catalogue(request).effect(params.name)
            text = await aside(LARGE, partial(hint, tool, effect, result))
            if via.is_item or not text:
                via.signature = text
                return result
            return {**result, "content": [*result["content"], {"type": "text", "text": text}]}
        return result

    def _answer(
        self, request: ServerRequestContext[Any], own: str, given: Mapping[str, Any] | None
    ) -> str:
        """The text of an answer of `find_tools` or `describe_tools`."""
        arguments = ArgumentValidator.of(self.own[own]).check(given or {})
        catalogue = self._catalogue(request)
        return catalogue.find(arguments) if own == FIND else catalogue.describe(arguments)

    def _check(self, request: ServerRequestContext[Any], name: str, via: Via) -> None:
        """Raise ToolError unless the calling tool and the caller may both make this call."""
        if via.refusal:
            raise ToolError(via.refusal)
        if not self._may(request)(name):
            raise ToolError(self._absent(request, name))
        effect = self._catalogue(request).effect(name)
        right = EFFECTS.get(effect, WRITE)
        if right != via.tool:
            right = self.own[right]["name"]
            raise ToolError(f"{name} is [{effect}]: call it with {right}. Nothing was done.")

    async def _unfit(
        self, request: ServerRequestContext[Any], params: CallToolRequestParams, via: Via
    ) -> str:
        """The problems of the requested fields and of the arguments."""
        values = params.arguments or {}
        validator = self._tools(request).validator(params.name)
        try:
            await aside(size_of(values), partial(validator.check, values))
        except ToolError as problem:
            return f"{via.unfit}\n{problem.message}"
        return via.unfit

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """Wrap `serve`: record that the arguments were accepted, and select fields of the
        answer.
        """
        via = VIA.get()
        if via is None:
            return serve

        async def serving(context: Context, arguments: Mapping[str, Any]) -> Any:
            via.accepted = True
            value = await serve(context, arguments)
            if isinstance(value, Response):
                shapes = context.request.lifespan_context.backend.api.shapes
                via.see(arguments, value, shapes.get(tool["name"]))
            size = len(value.content) if isinstance(value, Response) else LARGE
            return await aside(size, partial(calls.answered, value, via, tool, context, arguments))

        return serving

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of a listed tool, in which the MCP SDK looks for header rules."""
        if (SURFACE.get() or self.surface) != "search" or self._schema_of is None:
            return self._schema_of(name) if self._schema_of is not None else None
        return self._schema_of(name) if name in self.index.pinned else None

    def _catalogue(self, request: ServerRequestContext[Any] | None) -> Catalogue:
        if request is None:
            return Catalogue(self.index, lambda name: {}, lambda name: True, ())
        definition = partial(self._definition, request)
        return Catalogue(self.index, definition, self._may(request), self.rules)

    def _may(self, request: ServerRequestContext[Any]) -> Callable[[str], bool]:
        """A function that tells whether the caller may call a tool."""
        access = self._access
        if "changes" in request.lifespan_context.parts:
            return lambda name: access.allows(request.request, name)
        there = self.index.by_name
        return lambda name: name in there and access.allows(request.request, name)

    def _definition(self, request: ServerRequestContext[Any], name: str) -> dict[str, Any]:
        """The definition of a tool in the running server; empty if there is no such tool."""
        return self._tools(request).get(name) or {}

    def _tools(self, request: ServerRequestContext[Any]) -> ToolCatalogue:
        """The tools that the server has now."""
        changes = request.lifespan_context.parts.get("changes")
        tools: ToolCatalogue = self._parts.catalogue if changes is None else changes.catalogue
        return tools

    def _absent(self, request: ServerRequestContext[Any], name: str) -> str:
        """The message about a tool that does not exist or that the caller may not call."""
        if lacking := self._access.lacking(request.request, name):
            return lacking
        told = self._catalogue(request).nearest(name), self._access.said(request.request)
        return " ".join(filter(None, (f"There is no tool `{name[:200]}`.", *told)))

    def _instructions(self, request: ServerRequestContext[Any]) -> str:
        info, prefix = self._parts.info, self.index.prefix
        about = " ".join((info.description or info.title or info.name).split())[:200].rstrip(".")
        narrows = self._access.narrows(request.request)
        own = self._own(self._catalogue(request)) if narrows else self.own
        calls = " or ".join(f"{prefix}{each}" for each in CALLING if each in own)
        lists = "Name the `fields` you need of a list" + "; `pages` joins its pages." * bool(
            self.rules
        )
        head = (
            f"{about}. Find tools with {prefix}{FIND}, then call them with {calls}. Read a "
            f"definition first: {prefix}{DESCRIBE} has those that were left out. {lists}"
        )
        more = (info.instructions or "").removeprefix(about).lstrip(". \n")
        head = head if self.rules else f"{head}."
        return "\n\n".join(filter(None, (self._parts.settings.remark, head, more)))


def _handler(server: Server[Any], method: str) -> Callable[..., Awaitable[Any]]:
    entry = server.get_request_handler(method)
    assert entry is not None
    return entry.handler


def _mark(endpoint: ASGIApp, surface: str) -> ASGIApp:
    """An ASGI app that sets `surface` for each request, and passes the request to `endpoint`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["mcp_surface"] = surface
        SURFACE.set(surface)
        await endpoint(scope, receive, send)

    return app


def install(parts: ServerParts) -> Search:
    """Let a server offer its tools through the search surface."""
    server = parts.server
    search = Search(parts)
    server.middleware.insert(0, search)  # before anything looks at a call
    server.add_request_handler("tools/list", PaginatedRequestParams, search.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, search.call)
    server.get_tool_input_schema = search.input_schema
    parts.catalogue.located = Definitions(parts.package, lambda: search.index)
    guard: Any = next((each for each in server.middleware if hasattr(each, "gated")), None)
    if guard is not None:
        guard.called = search.called
    return search
