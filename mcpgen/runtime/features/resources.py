"""Resources and resource templates: `resources.json`, and the functions that read them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from mcp_types import (
    INVALID_PARAMS,
    InputRequiredResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from ..backend.progress import Report
from ..backend.response import Response
from ..backend.threads import aside
from ..calls.calls import Serve, context_of, shaped
from ..calls.catalogue import read_json
from ..calls.context import Context
from ..guard.access import Access, Caller
from ..results.content import Result, ResultLimit
from ..results.pages import TTL_MS, page
from ..results.revisions import askable, wire
from ..values.display import visible
from ..values.errors import ApiError, ToolError
from ..values.jsontext import NotJson, parse
from ..values.media import by_name
from .functions import Functions, guarded, marked
from .resource_contents import BINARY, bytes_contents, contents_of, size_of, text_contents
from .static_content import NoSuchFile, filled, read_file
from .uri_templates import Template

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.parts import Parts
    from ..values.settings import Settings

logger = logging.getLogger(__name__)

resource = marked
"""Mark the function that reads a resource, by its URI or uriTemplate."""

_INVALID_PARAMS_SINCE = "2026-07-28"
_NOT_FOUND = -32002
"""The code of an unknown resource in older revisions of the protocol."""
_FRESH = {"ttlMs": TTL_MS, "cacheScope": "public"}
_STALE = {"ttlMs": 0, "cacheScope": "private"}
"""What is made for a call may differ by caller and from one call to the next."""


def install(server: Server[Any], parts: Parts, settings: Settings) -> Resources:
    """Let a server list and read the package's resources."""
    found = Resources(server, parts, settings)
    params = PaginatedRequestParams
    server.add_request_handler("resources/list", params, found.list_resources)
    server.add_request_handler("resources/templates/list", params, found.list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, found.read)
    return found


class Resources:
    """The resources of a generated package."""

    def __init__(self, server: Server[Any], parts: Parts, settings: Settings) -> None:
        self._package = parts.package
        self._catalogue = parts.catalogue
        self._access = Access.of(server, parts.package, settings)
        self._page_size = settings.page_size
        self._limit = ResultLimit.of(settings, parts.api)
        self._api = parts.api
        self._functions = Functions(parts.package, "resources")

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        return read_json(self._package, "resources.json")

    async def list_resources(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> Result:
        """Answer `resources/list`."""
        return self._page("resources", request, params.cursor)

    async def list_templates(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> Result:
        """Answer `resources/templates/list`."""
        return self._page("resourceTemplates", request, params.cursor)

    def _page(self, key: str, request: ServerRequestContext[Any], cursor: str | None) -> Result:
        """A page of what a caller may read; never cached for others if it depends on the caller."""
        entries: list[Result] = self._data[key]
        by_tools = any("tool" in self._served(entry) for entry in entries)
        changing = by_tools and "changes" in request.lifespan_context.features
        if not (self._access or changing):
            return page(key, entries, cursor, self._page_size)
        shown = [entry for entry in entries if self._allows(request, self._served(entry))]
        caching = _STALE if changing else {"cacheScope": "private"}
        return {**page(key, shown, cursor, self._page_size), **caching}

    def _served(self, entry: Result) -> Result:
        found: Result = self._data["served"].get(entry.get("uri") or entry["uriTemplate"], {})
        return found

    def _allows(self, request: ServerRequestContext[Any], served: Result) -> bool:
        """Whether the caller may call the tool that reads a resource, and it is switched on."""
        tool = served.get("tool")
        if tool is None:
            return True
        changes = request.lifespan_context.features.get("changes")
        allowed = self._access.allows(Caller.of(request.request), tool)
        return allowed and (changes is None or changes.allows(request, tool))

    def may_read(self, request: ServerRequestContext[Any], template: str) -> bool:
        """Whether who asks may read the resources of a template."""
        return self._allows(request, self._served({"uriTemplate": template}))

    def tool_of(self, uri: str) -> str | None:
        """The tool that reads the resource at a URI, if one does."""
        try:
            return self._served(self._find(uri)[0]).get("tool")
        except MCPError:
            return None

    def changes(self, uri: str) -> bool:
        """Whether the tool file says that the resource at a URI changes."""
        try:
            return bool(self._served(self._find(uri)[0]).get("subscribe"))
        except MCPError:
            return False

    @cached_property
    def _by_uri(self) -> dict[str, Result]:
        return {entry["uri"]: entry for entry in self._data["resources"]}

    @cached_property
    def _parsed(self) -> list[tuple[Template, Result]]:
        entries: list[Result] = self._data["resourceTemplates"]
        return [(Template(entry["uriTemplate"]), entry) for entry in entries]

    async def read(
        self,
        request: ServerRequestContext[Any],
        params: ReadResourceRequestParams,
        report: Report | None = None,
    ) -> Result:
        """Answer `resources/read`, or a handler; `report` then tells how far the handler's call is.

        Raises:
            MCPError: there is no such resource, or it cannot be read.
        """
        uri = params.uri
        try:
            return await guarded(uri[:200], self._read(request, params, report))
        except MCPError as problem:
            if problem.error.code != _NOT_FOUND:
                raise
            modern = request.protocol_version >= _INVALID_PARAMS_SINCE
            code = INVALID_PARAMS if modern else _NOT_FOUND
            raise MCPError(code=code, message="Resource not found", data={"uri": uri}) from None

    async def _read(
        self,
        request: ServerRequestContext[Any],
        params: ReadResourceRequestParams,
        report: Report | None,
    ) -> Result:
        entry, values, problems = self._find(params.uri)
        served = self._served(entry)
        if not self._allows(request, served):
            raise MCPError(code=_NOT_FOUND, message="Resource not found")
        if problems:
            message, data = visible(problems[0]), {"uri": params.uri}
            raise MCPError(code=INVALID_PARAMS, message=message, data=data)
        try:
            static = await self._static(params.uri, entry, served, values)
            if static is not None:
                return static
            name = served.get("tool") or entry.get("uri") or entry["uriTemplate"]
            context = context_of(request, name, params, report=report)
            value = await self._made(context, entry, served, values)
        except NoSuchFile as problem:
            raise _not_found(problem) from None
        except ApiError as problem:
            if problem.status == 404:
                raise _not_found(problem) from None
            raise
        size = len(value.content) if isinstance(value, Response) else 0
        mime, tool = entry.get("mimeType"), served.get("tool", "")
        mapping = partial(self._mapped, value, params.uri, mime, tool)
        return askable(request.protocol_version, await aside(size, mapping))

    async def _static(
        self, uri: str, entry: Result, served: Result, values: Mapping[str, str]
    ) -> Result | None:
        """What the package itself holds: a text, bytes or a file; None if it calls a function."""
        mime = entry.get("mimeType")
        if "text" in served:
            text = filled(served["text"], _shown(entry, values))
            return _result([text_contents(uri, text, mime or "text/plain")], _FRESH)
        if "blob" in served:
            blob = {"uri": uri, "mimeType": mime or BINARY, "blob": served["blob"]}
            return _result([blob], _FRESH)
        if "file" in served:
            name = filled(served["file"], _shown(entry, values))
            content = await read_file(self._package, name, self._limit)
            kind = mime or by_name(name) or BINARY
            return _result([bytes_contents(uri, content, kind)], _STALE)
        return None

    def _find(self, uri: str) -> tuple[Result, dict[str, str], list[str]]:
        """The entry that a URI matches, its variables, and what is wrong with its query."""
        if uri in self._by_uri:
            return self._by_uri[uri], {}, []
        found = []
        # A comma that stands between no two variables is part of a value, encoded or not.
        written = (uri, uri.replace(",", "%2C"))
        for each, (template, entry) in product(written, self._parsed):
            if (match := template.match(each)) is not None:
                found.append((entry, *match))
        if not found:
            raise MCPError(code=_NOT_FOUND, message="Resource not found")
        return min(found, key=lambda each: len(each[2]))

    async def _made(
        self, context: Context, entry: Result, served: Result, values: Mapping[str, str]
    ) -> Any:
        tool = served.get("tool")
        if tool is None:
            function = self._functions.get(entry.get("uri") or entry["uriTemplate"])
            return await function(context, values)
        kinds = served["arguments"]
        arguments = {kinds[name][0]: _typed(text, kinds[name][1]) for name, text in values.items()}
        features = context.request.lifespan_context.features
        catalogue = features["changes"].catalogue if "changes" in features else self._catalogue
        checked = catalogue.validator(tool).check(arguments)
        serve: Serve = catalogue.handler(tool)
        if "questions" in features:
            serve = features["questions"].wrap(catalogue.get(tool), serve)
        return await serve(context, checked)

    def _mapped(self, value: Any, uri: str, mime: str | None, tool: str) -> Result:
        value = shaped(value, self._api, tool)
        if isinstance(value, InputRequiredResult):
            return wire(value)
        if isinstance(value, ReadResourceResult):
            return {**_STALE, **wire(value)}
        if isinstance(value, Response) and value.misfits:  # contents have no place to say so
            said = "; ".join(value.misfits)
            logger.warning("%s: the API's answer is not as it should be: %s.", uri[:200], said)
        contents = contents_of(value, uri, mime)
        if sum(map(size_of, contents)) > self._limit.size:
            raise ToolError(
                f"This resource has more than the {self._limit.size:,} bytes that this server "
                f"passes on: raise {self._limit.variable}."
            )
        return _result(contents, _STALE)


def _result(contents: list[Result], caching: Mapping[str, Any]) -> Result:
    return {"resultType": "complete", "contents": contents, **caching}


def _not_found(problem: ToolError) -> MCPError:
    return MCPError(code=_NOT_FOUND, message=problem.message)


def _shown(entry: Result, values: Mapping[str, str]) -> dict[str, str]:
    """The variables of a template as a text has them: one that was left out is empty."""
    template = UriTemplate.parse(entry.get("uriTemplate", ""))
    return {**dict.fromkeys(template.variable_names, ""), **values}


def _typed(text: str, kind: str) -> Any:
    """A variable's text as the argument's type; a misfit stays text, which is then refused.

    So does a number of more digits than floating point keeps: it would read another resource.
    """
    if kind == "string":
        return text
    try:
        found = parse(text)
    except NotJson:
        return text
    return text if found.losses else found.value
