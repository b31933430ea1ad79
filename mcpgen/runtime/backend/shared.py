"""What all calls of an API share."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ..credentials.auth import Api, no_token
from ..values.jsontext import Most
from ..values.settings import Settings
from .failures import retry_after, unanswered
from .hooks import Hooks
from .reading import BodyError, read_body
from .transport import Connections

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

_LARGEST = 1024 * 1024
"""Bytes of JSON that is not the API's."""


@dataclass(frozen=True)
class Backend:
    """What every call of a server shares."""

    api: Api
    settings: Settings
    connections: Connections
    hooks: Hooks
    user_agent: str
    mock: bool = False
    """Answers are examples: no credential is needed."""
    is_only: bool = True
    """The server has no other API, which the author's hook may be meant for."""

    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def most(self) -> Most:
        """The values of an answer that is read as data."""
        return Most(self.settings.max_values, f"{self.api.env_prefix}_MAX_VALUES")

    def kept(self, make: Callable[[Backend], T]) -> T:
        """What credentials of a kind keep as long as the server runs, made once by `make`."""
        if make not in self._kept:
            self._kept[make] = make(self)
        found: T = self._kept[make]
        return found

    async def fetch_json(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        certificate: tuple[str, str] | None = None,
    ) -> Mapping[str, Any]:
        """The object that a URL answers with, and its `status`; with `error` where that is not 200.

        `wait` are the seconds that it asks to be left alone, or None.

        Raises:
            ToolError: it gave no answer that can be read.
        """
        import httpx2

        settings = self.settings
        timeout = httpx2.Timeout(settings.read_timeout, connect=settings.connect_timeout)
        own = {
            "User-Agent": self.user_agent,
            "Accept": "application/json",
            "Accept-Encoding": "gzip, deflate",
        }
        request = httpx2.Request(
            method,
            url,
            headers={**own, **headers},
            content=body,
            extensions={"timeout": timeout.as_dict()},
        )
        try:
            received = await self.connections.get(certificate).handle_async_request(request)
            try:
                return await _read(received)
            finally:
                await received.aclose()
        except (httpx2.HTTPError, BodyError) as problem:
            why = unanswered(problem, self.api.env_prefix, proxied=settings.proxy is not None)
            raise no_token(url, why, "Retrying later may help.") from None


async def _read(received: httpx2.Response) -> Mapping[str, Any]:
    stream = received.stream
    assert isinstance(stream, AsyncIterable)
    body = await read_body(stream, received.headers.get("content-encoding", ""), _LARGEST)
    try:
        answer = json.loads(body.content)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        answer = {}
    error = answer.pop("error", None)
    if error or received.status_code != 200:
        default = "invalid_client" if received.status_code == 401 else ""
        answer |= {"error": error or default}
    wait = retry_after(received.headers.get("retry-after"))
    return {**answer, "status": received.status_code, "wait": wait}
