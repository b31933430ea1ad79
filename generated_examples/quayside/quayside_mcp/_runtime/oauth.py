"""OAuth 2.0 access tokens: had from the token endpoint, kept until they expire, one at a time."""

from __future__ import annotations

import json
import logging
import time
from base64 import b64encode
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

import anyio

from .errors import ToolError
from .failures import excerpt
from .reading import BodyError, read_body
from .urls import Origin

if TYPE_CHECKING:
    import httpx2

    from .exchange import Backend

logger = logging.getLogger(__name__)

_MOST_EARLY = 30.0
"""Seconds before its end in which a token is not used any more, or a tenth of its life."""
_LARGEST = 1024 * 1024


@dataclass(frozen=True)
class Grant:
    """What an access token is had for; a refresh token goes before client id and secret."""

    token_url: str
    refresh_url: str
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ()


class _Kept:
    """The token of a grant, and how the last attempt to have one ended."""

    def __init__(self, refresh_token: str) -> None:
        self.lock = anyio.Lock()
        self.token = ""
        self.ends = 0.0
        self.refresh_token = refresh_token
        self.secret_in_body = False
        self.attempts = 0
        self.failure: str | None = None

    def usable(self, refused: str) -> bool:
        return bool(self.token) and self.token != refused and time.monotonic() < self.ends

    def keep(self, answer: Mapping[str, Any]) -> None:
        self.token = answer["access_token"]
        seconds = _seconds(answer.get("expires_in"))
        early = min(_MOST_EARLY, seconds / 10)
        self.ends = time.monotonic() + seconds - early
        if isinstance(answer.get("refresh_token"), str):
            self.refresh_token = answer["refresh_token"]


class Tokens:
    """The access tokens of a server's life."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._kept: dict[Grant, _Kept] = {}

    async def get(self, grant: Grant, refused: str = "") -> str:
        """A token that has not expired and is not `refused`.

        However many calls ask at once, the token endpoint is asked once.

        Raises:
            ToolError: there is none to be had.
        """
        kept = self._kept.get(grant)
        if kept is None:
            kept = self._kept[grant] = _Kept(grant.refresh_token)
        if kept.usable(refused):
            return kept.token
        seen = kept.attempts
        async with kept.lock:
            if kept.usable(refused):
                return kept.token
            if kept.failure is not None and kept.attempts != seen:
                raise ToolError(kept.failure)
            try:
                kept.keep(await self._ask(grant, kept))
            except ToolError as problem:
                kept.failure = problem.message
                raise
            finally:
                kept.attempts += 1
            kept.failure = None
            return kept.token

    async def _ask(self, grant: Grant, kept: _Kept) -> Mapping[str, Any]:
        if kept.refresh_token:
            form = {"grant_type": "refresh_token", "refresh_token": kept.refresh_token}
            answer = await self._post(grant, kept, grant.refresh_url, form)
            if answer.get("error") == "invalid_grant" and kept.refresh_token != grant.refresh_token:
                kept.refresh_token = grant.refresh_token  # another process may have used it up
                form["refresh_token"] = kept.refresh_token
                answer = await self._post(grant, kept, grant.refresh_url, form)
            url = grant.refresh_url
        else:
            form = {"grant_type": "client_credentials"}
            if grant.scopes:
                form["scope"] = " ".join(grant.scopes)
            url = grant.token_url
            answer = await self._post(grant, kept, url, form)
        return _checked(answer, url, (grant.client_secret, grant.refresh_token, kept.refresh_token))

    async def _post(
        self, grant: Grant, kept: _Kept, url: str, form: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """The endpoint's answer; the client authenticates as RFC 6749 2.3.1 has it."""
        signed = {} if kept.secret_in_body else _basic(grant)
        own = dict(form)
        if not signed and grant.client_id:
            own |= {"client_id": grant.client_id, "client_secret": grant.client_secret}
        own = {name: value for name, value in own.items() if value}
        answer = await self._send(url, urlencode(own).encode(), signed)
        if answer.get("error") == "invalid_client" and signed:
            kept.secret_in_body = True  # some servers take them in the body alone
            answer = await self._post(grant, kept, url, form)
            kept.secret_in_body = "error" not in answer
        return answer

    async def _send(self, url: str, body: bytes, headers: Mapping[str, str]) -> Mapping[str, Any]:
        import httpx2

        settings = self._backend.settings
        read = settings.read_timeout
        timeout = {"connect": settings.connect_timeout, "read": read, "write": read, "pool": read}
        request = httpx2.Request(
            "POST",
            url,
            headers={
                "User-Agent": self._backend.user_agent,
                "Accept": "application/json",
                "Accept-Encoding": "gzip, deflate",
                "Content-Type": "application/x-www-form-urlencoded",
                **headers,
            },
            content=body,
            extensions={"timeout": timeout},
        )
        try:
            received = await self._backend.connections.get(None).handle_async_request(request)
            try:
                return await _read(received)
            finally:
                await received.aclose()
        except (httpx2.HTTPError, BodyError) as problem:
            logger.warning("no answer from the token endpoint: %s", type(problem).__name__)
            host = Origin.of(url).host
            raise ToolError(
                f"No access token came from {host}: it gave no answer that can be read. Nothing "
                "was sent to the API. Retrying later may help."
            ) from None


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
    if received.status_code != 200:
        error = answer.get("error")
        default = "invalid_client" if received.status_code == 401 else ""
        return {**answer, "error": error or default, "status": received.status_code}
    return answer


def _basic(grant: Grant) -> dict[str, str]:
    if not grant.client_secret:
        return {}
    pair = f"{quote_plus(grant.client_id)}:{quote_plus(grant.client_secret)}"
    return {"Authorization": "Basic " + b64encode(pair.encode()).decode("ascii")}


def _checked(answer: Mapping[str, Any], url: str, secrets: tuple[str, ...]) -> Mapping[str, Any]:
    """The answer of success (RFC 6749 5.1), or the failure that an agent reads."""
    host = Origin.of(url).host
    token, kind = answer.get("access_token"), answer.get("token_type", "Bearer")
    if "error" in answer:
        said = [answer["error"], answer.get("error_description")]
        told = ": ".join(" ".join(text.split()) for text in said if isinstance(text, str) and text)
        status = answer.get("status", 200)
        later = status == 429 or status >= 500
        why = f"it answered {status}{f' ({excerpt(told, secrets)})' if told else ''}."
        advice = (
            "Retrying later may help."
            if later
            else "Retrying will not help until this server's credentials for it are corrected."
        )
    elif not (isinstance(token, str) and token and all("!" <= char <= "~" for char in token)):
        why, advice = "its answer holds none.", "Retrying later may help."
    elif not isinstance(kind, str) or kind.lower() != "bearer":
        why, advice = "its token is none of type Bearer.", "Retrying will not help."
    else:
        return answer
    raise ToolError(
        f"No access token came from {host}: {why} Nothing was sent to the API. {advice}"
    )


def _seconds(value: Any) -> float:
    """How long a token is good for; for ever where that is not said."""
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return float("inf")
    return seconds if seconds >= 0 else 0.0
