"""Large or binary answers, kept for a while and given to clients as links to this server.

What is kept is bounded, and only the caller who got a link can read it. A link cannot be guessed,
and ends with the process.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from ..results.blobs import Blob
from ..results.content import Mapped, Result, mapped
from ..results.limits import ResultLimit
from ..results.returned import Media, annotated
from ..values.jsontext import dump, scrub
from ..values.media import MediaType

if TYPE_CHECKING:
    from mcp.server.context import HandlerResult, ServerRequestContext

LIFETIME = 900.0
"""Seconds that an answer is kept."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes that are kept in all; the oldest answers go first."""
_TEXTS: dict[str, str] = {"json": "application/json", "text": "text/plain"}
"""The media types of answers whose own is missing, or says no more than that it is bytes."""


@dataclass(frozen=True)
class Kept:
    """An answer that a link leads to."""

    owner: str
    share: object
    until: float
    media: MediaType
    content: bytes

    def to_contents(self, uri: str) -> dict[str, Any]:
        """The contents for `resources/read`: text for a text, never shortened."""
        name = self.media.name or "application/octet-stream"
        is_text = self.media.is_json or self.media.is_text
        if is_text and (read := text_of(self.content, self.media)) is not None:
            return {"uri": uri, "mimeType": name, "text": scrub(read[0])}
        return {"uri": uri, "mimeType": name, "blob": b64encode(self.content).decode("ascii")}


NEEDS = ("resources",)


def install(parts: ServerParts) -> Links:
    """Let a server keep answers; their links are read before its other resources."""
    links = Links(f"{parts.info.name}://answers/")
    others = parts.server.get_request_handler("resources/read")

    async def read(
        request: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> HandlerResult:
        if (result := await links.read(request, params.uri)) is not None:
            return result
        assert others is not None, "the part `resources` is installed first"
        return await others.handler(request, params)

    parts.server.add_request_handler("resources/read", ReadResourceRequestParams, read)
    return links


class Links:
    """The kept answers; URIs begin with `prefix`, `now` is a clock in seconds."""

    def __init__(self, prefix: str, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._prefix = prefix
        self._kept: dict[str, Kept] = {}

    def keep(self, content: bytes, media: MediaType, owner: str, share: object = "") -> str:
        """Keep an answer for its caller, and drop what is too old or too much.

        Who is told from others by `share` has half of what is kept: its own oldest go first.
        """
        now = self.now()
        self._kept = {uri: answer for uri, answer in self._kept.items() if answer.until > now}
        uri = self._prefix + token_urlsafe(24)
        self._kept[uri] = Kept(owner, share, now + LIFETIME, media, content)
        if share:
            self._shrink([u for u, k in self._kept.items() if k.share == share], MOST_BYTES // 2)
        self._shrink(list(self._kept), MOST_BYTES)
        return uri

    def _shrink(self, uris: list[str], most: int) -> None:
        """Drop the oldest of some answers where they are too much; the newest stays."""
        size = sum(len(self._kept[uri].content) for uri in uris)
        for uri in uris[:-1]:
            if size <= most:
                break
            size -= len(self._kept.pop(uri).content)

    def get(self, uri: str, owner: str) -> Kept | None:
        """The answer behind a link of this caller, as long as it is kept."""
        answer = self._kept.get(uri)
        return answer if answer and answer.owner == owner and answer.until > self.now() else None

    async def read(self, request: ServerRequestContext[Any], uri: str) -> Result | None:
        """The contents behind a link, for `resources/read` and for handlers."""
        answer = self.get(uri, owner_of(request))
        if answer is None:
            return None
        caching = {"ttlMs": int((answer.until - self.now()) * 1000), "cacheScope": "private"}
        contents = await aside(len(answer.content), partial(answer.to_contents, uri))
        return {"resultType": "complete", "contents": [contents], **caching}

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """The handler of a tool, with links to what it returns."""

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
            block = link(blob.content, MediaType(blob.media))
            mapping = Mapped(tool, limit, [*response.misfits, *filter(None, [blob.misfit])])
            mapping.link(block, block["mimeType"], size)
            mapping.leads(response)
            if isinstance(value, Media):
                block |= annotated(value)
            return FinalResult(mapping.result())

        return linking

    def _link(
        self,
        tool: Mapping[str, Any],
        request: ServerRequestContext[Any],
        content: bytes,
        media: MediaType,
    ) -> Result:
        return {
            "type": "resource_link",
            "uri": self.keep(content, media, owner_of(request), share_of(request)),
            "name": f"{tool.get('name')} answer",
            "description": f"The whole answer; it can be read for {LIFETIME / 60:.0f} minutes.",
            "mimeType": media.name or "application/octet-stream",
            "size": len(content),
        }


async def _shortened(
    response: Response[Any],
    tool: Mapping[str, Any],
    limit: ResultLimit,
    link: Callable[[bytes, MediaType], Result],
) -> Result:
    """The result of JSON or text, with a link to all of it where something is left out."""

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
    return {**result, "content": [*result["content"], link(content, media)]}


def _whole(response: Response[Any]) -> tuple[bytes, MediaType]:
    """What a link leads to: the body, unless a handler has put other data in its place."""
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
    """An answer of the API, or bytes in the form of one; None for anything else."""
    if isinstance(value, Response):
        return in_small_letters(value)
    if isinstance(value, Media) and not value.uri:
        return Response(
            value.data, content=value.data, content_type=value.media_type, kind="binary"
        )
    if isinstance(value, bytes | bytearray):
        return Response(bytes(value), content=bytes(value), kind="binary")
    return None
