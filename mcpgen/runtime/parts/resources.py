"""Resources and resource templates: `resources.json`, and the functions that read them."""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from pydantic_core import to_jsonable_python

from ..backend.answer import verbatim_of
from ..backend.observing import Report
from ..backend.response import Response
from ..backend.threads import aside
from ..calls.access import Access
from ..calls.calls import Serve, context_of, shaped
from ..calls.catalogue import read_json
from ..calls.context import Context
from ..calls.server import ServerParts
from ..results.content import Result
from ..results.limits import ResultLimit, written
from ..results.returned import Media, is_content
from ..results.revisions import TTL_MS, askable, page, wire
from ..values.display import visible
from ..values.errors import ApiError, ArgumentError, ToolError
from ..values.jsontext import NotJson, dump, parse, scrub
from ..values.media import MediaType, is_json, is_text
from .completion import Functions, guarded, marked
from .content.media_names import by_name
from .content.static_content import NoSuchFile, filled, read_file

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

logger = logging.getLogger(__name__)

resource = marked
"""Mark the function that reads a resource, by its URI or uriTemplate."""

_BINARY = "application/octet-stream"
_LISTS = {"resources/list": "resources", "resources/templates/list": "resourceTemplates"}
_EXPRESSION = re.compile(r"\{[^{}]*\}")
_INVALID_PARAMS_SINCE = "2026-07-28"
_NOT_FOUND = -32002
"""The code of an unknown resource in older revisions of the protocol."""
_FRESH = {"ttlMs": TTL_MS, "cacheScope": "public"}
_STALE = {"ttlMs": 0, "cacheScope": "private"}
"""What is made for a call may differ by caller and from one call to the next."""


@dataclass(frozen=True)
class Target:
    """The resource that a URI identifies, and the variables of its template."""

    entry: Result
    """As it is listed."""
    names: Sequence[str] = ()
    """The variables of its template."""
    values: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    """What is wrong with the query of the URI."""

    @property
    def key(self) -> str:
        """The URI or uriTemplate."""
        key: str = self.entry.get("uri") or self.entry["uriTemplate"]
        return key

    def filled(self, text: str) -> str:
        """A text with the variables filled in."""
        return str(filled(text, self.values, self.names))


class Template:
    """A resource template. Query variables in a URI may be in any order, and may be missing."""

    def __init__(self, entry: Result) -> None:
        self._entry = entry
        text = entry["uriTemplate"]
        self._template = UriTemplate.parse(text)
        names = (*self._template.query_variable_names, *_query_names(_EXPRESSION.sub("", text)))
        self._queried = Counter(names)
        """The names that may be in the query, each as often as it may."""

    def match(self, uri: str) -> Target | None:
        """The target of a URI, if it fits the template."""
        values = self._template.match(uri)
        if values is None:
            return None
        texts = {name: str(value) for name, value in values.items()}
        problem = ""
        for name in Counter(_query_names(uri)) - self._queried:  # what it filters would come whole
            wrong = "is twice in the query" if name in self._queried else "is not a variable"
            problem = f"`{name[:100]}` {wrong} of {self._entry['uriTemplate']}"
        return Target(self._entry, self._template.variable_names, texts, problem)


def _query_names(uri: str) -> list[str]:
    query = uri.partition("#")[0].partition("?")[2]
    names = (unquote(part.partition("=")[0]) for part in query.split("&"))
    return [name for name in names if name]


def install(parts: ServerParts) -> Resources:
    """Let a server list and read the package's resources."""
    resources = Resources(parts)
    params = types.PaginatedRequestParams
    for method, key in _LISTS.items():
        parts.server.add_request_handler(method, params, partial(resources.page, key))
    parts.server.add_request_handler(
        "resources/read", types.ReadResourceRequestParams, resources.read
    )
    return resources


class Resources:
    """The resources of a generated package."""

    def __init__(self, parts: ServerParts) -> None:
        self._package = parts.package
        self._catalogue = parts.catalogue
        self._access = Access.of(parts)
        self._page_size = parts.settings.page_size
        self._limit = ResultLimit.of(parts.settings, parts.api)
        self._api = parts.api
        self._functions = Functions(parts.package, "resources")

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        return read_json(self._package, "resources.json")

    @cached_property
    def _by_uri(self) -> dict[str, Target]:
        return {entry["uri"]: Target(entry) for entry in self._data["resources"]}

    @cached_property
    def _templates(self) -> list[Template]:
        return [Template(entry) for entry in self._data["resourceTemplates"]]

    async def page(
        self, key: str, request: ServerRequestContext[Any], params: types.PaginatedRequestParams
    ) -> Result:
        """A page of the resources that the caller may read; caches must not share it."""
        targets = [Target(entry) for entry in self._data[key]]
        by_tools = any("tool" in self._served(target) for target in targets)
        changing = by_tools and "changes" in request.lifespan_context.parts
        if not self._access.narrows(request.request):
            return page(key, self._data[key], params.cursor, self._page_size)
        entries = [target.entry for target in targets if self._allows(request, target)]
        caching = _STALE if changing else self._access.caching(request.request)
        return {**page(key, entries, params.cursor, self._page_size), **caching}

    def _served(self, target: Target) -> Result:
        served: Result = self._data["served"].get(target.key, {})
        return served

    def _allows(self, request: ServerRequestContext[Any], target: Target) -> bool:
        """Whether the tool that reads a resource is on, and the caller may call it."""
        tool = self._served(target).get("tool")
        return tool is None or self._access.allows(request.request, tool)

    def may_read(self, request: ServerRequestContext[Any], template: str) -> bool:
        """Whether the caller may read the resources of a template."""
        return self._allows(request, Target({"uriTemplate": template}))

    def served_at(self, uri: str) -> Result:
        """The source of the resource at a URI (a `tool`, a `text`, …); empty if there is none."""
        try:
            return self._served(self._find(uri))
        except MCPError:
            return {}

    async def read(
        self,
        request: ServerRequestContext[Any],
        params: types.ReadResourceRequestParams,
        report: Report | None = None,
    ) -> Result:
        """Read a resource for `resources/read` or for a handler; `report` receives the progress.

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
            code = types.INVALID_PARAMS if modern else _NOT_FOUND
            raise MCPError(code, "Resource not found", {"uri": uri}) from None

    async def contents(
        self, request: ServerRequestContext[Any], uri: str, report: Report | None
    ) -> Sequence[types.TextResourceContents | types.BlobResourceContents]:
        """The contents of a resource for a handler; raises as `Context.read_resource` does."""
        links = request.lifespan_context.parts.get("links")
        if (result := await links.read(request, uri) if links else None) is None:
            result = await self.read(request, types.ReadResourceRequestParams(uri=uri), report)
        if result.get("resultType") == "input_required":
            raise ToolError(f"{uri} asks the user: a handler cannot read it, only a client can.")
        return types.ReadResourceResult.model_validate(result).contents

    async def _read(
        self,
        request: ServerRequestContext[Any],
        params: types.ReadResourceRequestParams,
        report: Report | None,
    ) -> Result:
        target = self._find(params.uri)
        if not self._allows(request, target):
            raise _not_found()
        if target.problem:
            raise MCPError(types.INVALID_PARAMS, visible(target.problem), {"uri": params.uri})
        tool = self._served(target).get("tool", "")
        try:
            static = await self._static(params.uri, target)
            if static is not None:
                return static
            context = context_of(request, tool or target.key, params, report=report)
            value = await self._call(context, target, tool)
        except NoSuchFile:
            raise _not_found() from None
        except ApiError as problem:
            if problem.status == 404:
                raise _not_found() from None
            raise
        size = len(value.content) if isinstance(value, Response) else 0
        mapping = partial(self._mapped, value, params.uri, target.entry.get("mimeType"), tool)
        return askable(request.protocol_version, await aside(size, mapping))

    async def _static(self, uri: str, target: Target) -> Result | None:
        """A resource in the package: a text, bytes or a file; None if a function reads it."""
        match self._served(target):
            case {"text": text}:
                mime = target.entry.get("mimeType") or "text/plain"
                return _result([_text(uri, target.filled(text), mime)], _FRESH)
            case {"blob": blob}:
                mime = target.entry.get("mimeType") or _BINARY
                return _result([{"uri": uri, "mimeType": mime, "blob": blob}], _FRESH)
            case {"file": file}:
                name = target.filled(file)
                content = await read_file(self._package, name, self._limit)
                mime = target.entry.get("mimeType") or by_name(name) or _BINARY
                return self._passed_on([_bytes(uri, content, mime)])
        return None

    def _find(self, uri: str) -> Target:
        """The resource at a URI; of several templates that match, prefer one that fits the
        query.
        """
        if uri in self._by_uri:
            return self._by_uri[uri]
        targets = [target for each in self._templates if (target := each.match(uri)) is not None]
        if not targets:
            raise _not_found()
        return min(targets, key=lambda target: bool(target.problem))

    async def _call(self, context: Context, target: Target, tool: str) -> Any:
        if not tool:
            return await self._functions.get(target.key)(context, target.values)
        kinds = self._served(target)["arguments"]
        arguments = {
            name: _typed(name, target.values[variable], kind)
            for variable, (name, kind) in kinds.items()
            if variable in target.values
        }
        parts = context.request.lifespan_context.parts
        catalogue = parts["changes"].catalogue if "changes" in parts else self._catalogue
        checked = catalogue.validator(tool).check(arguments)
        serve: Serve = catalogue.handler(tool)
        if "questions" in parts:
            serve = parts["questions"].wrap(catalogue.get(tool), serve)
        return await serve(context, checked)

    def _mapped(self, value: Any, uri: str, mime: str | None, tool: str) -> Result:
        value = shaped(value, self._api, tool)
        if isinstance(value, types.InputRequiredResult):
            return wire(value)
        if isinstance(value, types.ReadResourceResult):
            return {**_STALE, **wire(value)}
        if isinstance(value, Response) and value.misfits:  # contents have no place to say so
            misfits = "; ".join(value.misfits)
            logger.warning("%s: the API's answer is not as it should be: %s.", uri[:200], misfits)
        return self._passed_on(contents_of(value, uri, mime))

    def _passed_on(self, contents: list[Result]) -> Result:
        """The result that holds `contents`; raises ToolError if they are too large."""
        if (
            sum(written(each.get("text") or each.get("blob")) for each in contents)
            > self._limit.room
        ):
            raise ToolError(
                f"This resource is larger than the {self._limit.room:,} bytes that this server "
                f"passes on: raise {self._limit.variable}."
            )
        return _result(contents, _STALE)


def _result(contents: list[Result], caching: Mapping[str, Any]) -> Result:
    return {"resultType": "complete", "contents": contents, **caching}


def _not_found() -> MCPError:
    return MCPError(_NOT_FOUND, "Resource not found")


def _typed(name: str, text: str, kind: str) -> Any:
    """A variable's text as a value of the argument's type; the text itself if that is impossible.

    Raises:
        ArgumentError: the number has more digits than floating point keeps, so another resource
            would be read.
    """
    if kind == "string":
        return text
    try:
        parsed = parse(text)
    except NotJson:
        return text
    if parsed.losses:
        raise ArgumentError(name, "is a number with more digits than floating point keeps.")
    return parsed.value


def contents_of(value: Any, uri: str, mime: str | None) -> list[Result]:
    """The contents for the value that a function returned; for a tool's result, its content blocks.

    Raises:
        ToolError: the tool's result is an error.
    """
    if isinstance(value, types.CallToolResult):
        if value.is_error:
            raise ToolError(
                "\n".join(b.text for b in value.content if isinstance(b, types.TextContent))
            )
        if value.structured_content is None:
            return [_content(block, uri, mime) for block in value.content]
        value = value.structured_content
    items = value if isinstance(value, list | tuple) and is_content(value) else [value]
    return [_content(item, uri, mime) for item in items]


def _content(value: Any, uri: str, mime: str | None) -> Result:
    """The contents for an answer of the API, a text, bytes, `Media`, a block or other data."""
    match value:
        case Response():
            return _answer(value, uri, mime)
        case str():
            return _text(uri, value, mime or "text/plain")
        case types.TextContent():
            return _text(uri, value.text, mime or "text/plain")
        case bytes() | bytearray():
            return _bytes(uri, bytes(value), mime or _BINARY)
        case Media():
            return _bytes(uri, value.data, value.media_type)
        case types.ImageContent() | types.AudioContent():
            return {"uri": uri, "mimeType": value.mime_type, "blob": value.data}
        case types.EmbeddedResource():
            return wire(value.resource)
        case types.ResourceLink():
            return _text(uri, value.uri, "text/uri-list")
    return _text(uri, dump(to_jsonable_python(value, by_alias=True)), mime or "application/json")


def _answer(response: Response[Any], uri: str, mime: str | None) -> Result:
    kind = MediaType.read(response.content_type).name or mime
    if response.kind == "text":
        return _text(uri, response.data, kind or "text/plain")
    if response.kind == "json":
        text = verbatim_of(response) or dump(response.data)
        return _text(uri, text, kind or "application/json")
    return _bytes(uri, response.data or b"", kind or _BINARY)


def _text(uri: str, text: str, mime: str) -> Result:
    return {"uri": uri, "mimeType": mime, "text": scrub(text)}


def _bytes(uri: str, content: bytes, mime: str) -> Result:
    """The contents for bytes: as text, if their media type is a text type."""
    if is_text(mime) or is_json(mime):
        try:
            return _text(uri, content.decode("utf-8-sig"), mime)
        except UnicodeDecodeError:
            pass
    return {"uri": uri, "mimeType": mime, "blob": b64encode(content).decode("ascii")}
