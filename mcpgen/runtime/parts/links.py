"""Large or binary answers, kept for a while and given to clients as links to this server.

The number and size of kept answers are limited. A link cannot be guessed, and only the caller who
got it can read the answer. Links become invalid when the process ends, unless replicas share a
store.
"""

from __future__ import annotations

import json
import logging
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import astuple
from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

from mcp_types import ReadResourceRequestParams

from ..backend.answer import in_small_letters, is_text_of, text_of
from ..backend.response import FinalResult, Response
from ..backend.threads import aside
from ..calls.caller import owner_of, share_of
from ..calls.calls import Serve, shaped
from ..calls.context import Context
from ..calls.server import ServerParts
from ..calls.store import Name, Store, StoreError, store_of
from ..results.blobs import Blob
from ..results.content import Mapped, Result, mapped
from ..results.limits import ResultLimit
from ..results.returned import Media, annotated
from ..values.jsontext import dump, scrub
from ..values.media import MediaType
from .completion import guarded

if TYPE_CHECKING:
    from mcp.server.context import HandlerResult, ServerRequestContext

logger = logging.getLogger(__name__)

LIFETIME = 900.0
"""Seconds that an answer is kept."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes that are kept in all; the oldest answers go first."""
_KIND = "answer"
_NOT_KEPT = "The whole answer could not be kept, so there is no link to it."
_TEXTS: dict[str, str] = {"json": "application/json", "text": "text/plain"}
"""The media types of answers whose own is missing, or says no more than that it is bytes."""


def _contents(uri: str, media: MediaType, content: bytes) -> dict[str, Any]:
    """The contents for `resources/read`: the complete text of a text answer, or else base64."""
    name = media.name or "application/octet-stream"
    is_text = media.is_json or media.is_text
    if is_text and (read := text_of(content, media)) is not None:
        return {"uri": uri, "mimeType": name, "text": scrub(read[0])}
    return {"uri": uri, "mimeType": name, "blob": b64encode(content).decode("ascii")}


NEEDS = ("resources",)


def install(parts: ServerParts) -> Links:
    """Let a server keep answers.

    `resources/read` looks for a kept answer first, and then for any other resource.
    """
    links = Links(f"{parts.info.name}://answers/", store_of(parts))
    others = parts.server.get_request_handler("resources/read")

    async def read(
        request: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> HandlerResult:
        reading: Any = links.read(request, params.uri)
        result: Result | None = await guarded(params.uri[:200], reading)
        if result is not None:
            return result
        assert others is not None, "the part `resources` is installed first"
        return await others.handler(request, params)

    parts.server.add_request_handler("resources/read", ReadResourceRequestParams, read)
    return links


class Links:
    """Keeps answers and gives them URIs that begin with `prefix`; `now` is a clock in seconds."""

    def __init__(self, prefix: str, store: Store, now: Callable[[], float] = time.time) -> None:
        self._prefix = prefix
        self._store = store
        self._now = now

    async def keep(self, content: bytes, media: MediaType, owner: str, share: object = "") -> str:
        """Keep an answer for its caller and return its URI; old answers beyond the limits are
        dropped.

        A caller, identified by `share`, may use half of the space. Beyond that, the caller's
        oldest answers are dropped.

        Raises:
            StoreError: the answer cannot be kept.
        """
        word = token_urlsafe(24)
        groups: dict[Name, int] = {(_KIND,): MOST_BYTES}
        if share:
            groups = {(_KIND, json.dumps(share)): MOST_BYTES // 2, **groups}
        head = json.dumps([self._now() + LIFETIME, *astuple(media)]).encode()
        await self._store.put((_KIND, owner, word), head + b"\n" + content, LIFETIME, groups)
        return self._prefix + word

    async def get(self, uri: str, owner: str) -> tuple[float, MediaType, bytes] | None:
        """The kept answer behind a caller's link: when it expires, its media type, and its content.

        Raises:
            StoreError: the store cannot be reached.
        """
        if not uri.startswith(self._prefix):
            return None
        value = await self._store.get((_KIND, owner, uri.removeprefix(self._prefix)))
        if value is None:
            return None
        head, _, content = value.partition(b"\n")
        until, *media = json.loads(head)
        return until, MediaType(*media), content

    async def read(self, request: ServerRequestContext[Any], uri: str) -> Result | None:
        """The contents of the link `uri`; None if this caller has no such link.

        Used by `resources/read` and by handlers. Raises StoreError.
        """
        answer = await self.get(uri, owner_of(request))
        if answer is None:
            return None
        until, media, content = answer
        caching = {"ttlMs": max(0, int((until - self._now()) * 1000)), "cacheScope": "private"}
        contents = await aside(len(content), partial(_contents, uri, media, content))
        return {"resultType": "complete", "contents": [contents], **caching}

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """The handler of a tool, which adds links to large or binary answers."""

        async def linking(context: Context, arguments: Mapping[str, Any]) -> Any:
            value = await serve(context, arguments)
            backend = context.request.lifespan_context.backend
            response = _response(shaped(value, backend.api, tool["name"]))
            if response is None or response.kind == "multipart" or 300 <= response.status < 400:
                return value
            limit = ResultLimit.of(backend.settings, backend.api, tool)
            link = partial(self._link, tool, context.request)
            if response.kind != "binary":
                return FinalResult(await _shortened(response, tool, limit, link))
            name = MediaType.read(response.content_type).name or "application/octet-stream"
            blob = await aside(len(response.data), partial(Blob.of, response.data, name))
            size = len(blob.content)
            is_shown = blob.is_shown and not limit.refusal(blob)
            if is_shown or blob.text is not None or size > MOST_BYTES:
                return value
            block = await link(blob.content, MediaType(blob.media))
            if block is None:
                return value
            mapping = Mapped(tool, limit, [*response.misfits, *filter(None, [blob.misfit])])
            mapping.link(block, block["mimeType"], size)
            mapping.leads(response)
            if isinstance(value, Media):
                block |= annotated(value)
            return FinalResult(mapping.result())

        return linking

    async def _link(
        self,
        tool: Mapping[str, Any],
        request: ServerRequestContext[Any],
        content: bytes,
        media: MediaType,
    ) -> Result | None:
        """Keep an answer and return a link to it; log and return None if it cannot be kept."""
        try:
            uri = await self.keep(content, media, owner_of(request), share_of(request))
        except StoreError as problem:
            logger.warning("%s: the whole answer is not kept: %s", tool.get("name"), problem)
            return None
        return {
            "type": "resource_link",
            "uri": uri,
            "name": f"{tool.get('name')} answer",
            "description": f"The whole answer; it can be read for {LIFETIME / 60:.0f} minutes.",
            "mimeType": media.name or "application/octet-stream",
            "size": len(content),
        }


async def _shortened(
    response: Response[Any],
    tool: Mapping[str, Any],
    limit: ResultLimit,
    link: Callable[[bytes, MediaType], Awaitable[Result | None]],
) -> Result:
    """The result for a JSON or text answer; if it is shortened, it links to the whole answer."""

    def make() -> tuple[Result, str]:
        mapping = mapped(response, tool, limit)
        return mapping.result(), mapping.note

    size = len(response.content)
    result, left_out = await aside(size, make)
    if not left_out:
        return result
    content, media = await aside(size, partial(_whole, response))
    if len(content) > MOST_BYTES:
        return result
    block = await link(content, media) or {"type": "text", "text": _NOT_KEPT}
    return {**result, "content": [*result["content"], block]}


def _whole(response: Response[Any]) -> tuple[bytes, MediaType]:
    """The bytes and media type behind a link: the response's body, or what a handler put in place
    of the response's data.
    """
    media = MediaType.read(response.content_type)
    if not (media.is_json or media.is_text):
        media = MediaType(_TEXTS[response.kind])
    read = text_of(response.content, media)
    if read is not None and is_text_of(read[0], response):
        return response.content, media
    is_json = response.kind == "json"
    text = dump(response.data) if is_json else str(response.data)
    name = media.name if media.is_json == is_json else _TEXTS[response.kind]
    return scrub(text).encode(), MediaType(name)


def _response(value: Any) -> Response[Any] | None:
    """An answer of the API, or bytes wrapped as one; None for any other value."""
    if isinstance(value, Response):
        return in_small_letters(value)
    if isinstance(value, Media) and not value.uri:
        return Response(
            value.data, content=value.data, content_type=value.media_type, kind="binary"
        )
    if isinstance(value, bytes | bytearray):
        return Response(bytes(value), content=bytes(value), kind="binary")
    return None
