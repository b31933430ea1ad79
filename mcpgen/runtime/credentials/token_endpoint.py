"""Asking an authorization server: its metadata and its token endpoint (RFC 6749 3.2)."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote_plus, urlencode

import anyio

from ..values.display import excerpt
from ..values.urls import WELL_KNOWN, is_secure
from .no_token import no_token

_METADATA_LIFE = 3600.0
"""Seconds until metadata is read again."""
_READY = "Retrying will not help; a token that is ready in this server's environment would."
_NOT_TAKEN = ("invalid_client", "invalid_request")
"""Errors of a server that does not see who asks: the second, where the client's id is missing."""


@dataclass(frozen=True)
class Client:
    """Who asks; a public client has no secret."""

    id: str = ""
    secret: str = field(default="", repr=False)
    certificate: tuple[str, str] | None = field(default=None, repr=False)
    """What the API is shown besides the token, which may be bound to it (RFC 8705 3)."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What an answer may hold and nobody may read: the secret, as it is and as it is sent."""
        sent = [value for way in _ways(self) for value in way(self)[0].values()]
        return (self.secret, *(value.partition(" ")[2] for value in sent))


_Way = Callable[[Client], tuple[dict[str, str], dict[str, str]]]
"""The headers and the parameters that say who asks."""


class FetchJson(Protocol):
    """Asks a host for JSON: `Backend.fetch_json`."""

    async def __call__(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        certificate: tuple[str, str] | None = None,
    ) -> Mapping[str, Any]:
        """The object that a URL answers with; raises ToolError."""
        ...


class AuthorizationServers:
    """The authorization servers that a server asks for tokens."""

    def __init__(self, fetch_json: FetchJson) -> None:
        self._fetch_json = fetch_json
        self._taken: dict[tuple[str, str], _Way] = {}
        """How a URL last took who a client is, by the URL and the client's id."""
        self._lock = anyio.Lock()
        self._metadata: dict[str, tuple[Mapping[str, Any], float]] = {}
        """By its URL, with the time at which it is read again."""

    async def ask(self, url: str, client: Client, form: dict[str, str]) -> Mapping[str, Any]:
        """The answer of a token endpoint, with a member `error` where it is no success.

        The client authenticates in the first way that the server takes, from then on.

        Raises:
            ToolError: it gave no answer that can be read.
        """
        asked, ways = (url, client.id), _ways(client)
        ways.sort(key=lambda way: way != self._taken.get(asked))
        # Where one was taken, a request can be invalid for other reasons, as in RFC 8693 2.2.2.
        refused = _NOT_TAKEN[:1] if asked in self._taken else _NOT_TAKEN
        answer: Mapping[str, Any] = {}
        for way in ways:
            headers, own = way(client)
            body = urlencode({name: value for name, value in (form | own).items() if value})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            content, shown = body.encode(), client.certificate
            answer = await self._fetch_json("POST", url, headers, content, shown)
            if "error" not in answer:
                self._taken[asked] = way
            if answer.get("error") not in refused:
                break
        return answer

    async def token_endpoint(self, url: str, *, certified: bool) -> str:
        """The token endpoint that the metadata at `url` names; metadata is read once an hour.

        `certified`: where clients show a certificate, which may be elsewhere (RFC 8705 5).

        Raises:
            ToolError: it cannot be read, is another issuer's (Discovery 4.3), or names a place to
                which no secret may be sent.
        """
        async with self._lock:
            metadata, ends = self._metadata.get(url, ({}, 0.0))
            if time.monotonic() >= ends:
                metadata = await self._discovered(url)
                self._metadata[url] = (metadata, time.monotonic() + _METADATA_LIFE)
        aliases = metadata.get("mtls_endpoint_aliases")
        named = aliases if certified and isinstance(aliases, Mapping) else {}
        endpoint = named.get("token_endpoint", metadata.get("token_endpoint"))
        if not isinstance(endpoint, str) or not is_secure(endpoint):
            self._metadata.pop(url, None)  # it may be corrected
            raise no_token(url, "its metadata names no token endpoint by https.", _READY)
        return endpoint

    async def _discovered(self, url: str) -> Mapping[str, Any]:
        metadata = await self._fetch_json("GET", url, {})
        if "error" in metadata:
            why, when = refusal(metadata)
            raise no_token(url, why, when or _READY)
        issuer = metadata.get("issuer")
        if not isinstance(issuer, str) or issuer.rstrip("/") + WELL_KNOWN != url:
            raise no_token(url, "its metadata is that of another issuer.", _READY)
        return metadata


def access_token(answer: Mapping[str, Any], url: str, advice: str, secrets: tuple[str, ...]) -> str:
    """The token of a successful answer (RFC 6749 5.1).

    `advice` is what helps where the authorization server refused, and `secrets` what its answer may
    hold and nobody may read.

    Raises:
        ToolError: there is none.
    """
    token, kind = answer.get("access_token"), answer.get("token_type", "Bearer")
    if "error" in answer:
        why, when = refusal(answer, secrets)
        raise no_token(url, why, when or advice)
    if not (isinstance(token, str) and token and all("!" <= char <= "~" for char in token)):
        raise no_token(url, "its answer holds none.", "Retrying later may help.")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise no_token(url, "its token is none of type Bearer.", "Retrying will not help.")
    return token


def refusal(answer: Mapping[str, Any], secrets: tuple[str, ...] = ()) -> tuple[str, str]:
    """What an answer with an `error` says, and when another may come; empty: it will not."""
    said = [answer["error"], answer.get("error_description")]
    told = ": ".join(" ".join(text.split()) for text in said if isinstance(text, str) and text)
    status, wait = answer["status"], answer["wait"]
    why = f"it answered {status}{f' ({excerpt(told, secrets)})' if told else ''}."
    if not (status == 429 or status >= 500 or said[0] == "temporarily_unavailable"):
        return why, ""
    return why, f"Retrying {'later' if wait is None else f'after {wait:.0f} seconds'} may help."


def _ways(client: Client) -> list[_Way]:
    """How a client may say who it is (RFC 6749 2.3.1), in the order in which servers are tried.

    Some read the body alone, and some take Basic without decoding what is in it.
    """
    if not client.secret:
        return [_in_body]
    plain = _basic(client) == _basic_as_it_is(client)
    return [_basic, _in_body] if plain else [_basic, _in_body, _basic_as_it_is]


def _basic(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    return _basic_as_it_is(Client(quote_plus(client.id), quote_plus(client.secret)))


def _basic_as_it_is(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    pair = b64encode(f"{client.id}:{client.secret}".encode()).decode("ascii")
    return {"Authorization": f"Basic {pair}"}, {}


def _in_body(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    return {}, {"client_id": client.id, "client_secret": client.secret}
