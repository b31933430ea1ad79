"""OAuth 2.0 access tokens: from the token endpoint, kept until they expire, asked for once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import anyio

from ..values.errors import ToolError
from .auth import no_token
from .schemes import Grant, TokenExchange
from .token_endpoint import AuthorizationServers, Client, FetchJson, access_token

_MOST_EARLY = 30.0
"""Seconds before its end in which a token is not used any more, or a tenth of its life."""
_CREDENTIALS = "Retrying will not help until this server's credentials for it are corrected."
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
_USABLE = (_ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt")


class _KeptToken:
    """The token of a grant, and the attempt to get one."""

    def __init__(self, refresh_token: str) -> None:
        self.token = ""
        self.ends = 0.0
        self.refresh_token = refresh_token
        self.asking: asyncio.Task[str | None] | None = None

    def usable(self, refused: str) -> bool:
        return self.token != refused and time.monotonic() < self.ends

    def keep(self, answer: Mapping[str, Any]) -> None:
        self.token = answer["access_token"]
        seconds = _seconds(answer.get("expires_in"))
        early = min(_MOST_EARLY, seconds / 10)
        self.ends = time.monotonic() + seconds - early
        if isinstance(answer.get("refresh_token"), str):
            self.refresh_token = answer["refresh_token"]


class Tokens:
    """The access tokens of a server's life."""

    def __init__(self, fetch_json: FetchJson, timeout: float) -> None:
        self._timeout = timeout
        self._servers = AuthorizationServers(fetch_json)
        self._kept: dict[Grant, _KeptToken] = {}

    async def get(self, grant: Grant | TokenExchange, refused: str = "") -> str:
        """A token that has not expired and is not `refused`; a caller's own is kept nowhere.

        However many calls ask at once, the token endpoint is asked once. A call that is given up
        leaves it at work: the answer may hold the only refresh token that is still good.

        Raises:
            ToolError: none can be got.
        """
        if isinstance(grant, TokenExchange):
            return await self._exchange(grant)
        kept = self._kept.get(grant)
        if kept is None:
            kept = self._kept[grant] = _KeptToken(grant.refresh_token)
        if not kept.usable(refused):
            if kept.asking is None or kept.asking.done():
                kept.asking = asyncio.ensure_future(self._renew(grant, kept))
            failure = await asyncio.shield(kept.asking)
            if failure is not None:
                raise ToolError(failure)
        return kept.token

    async def _renew(self, grant: Grant, kept: _KeptToken) -> str | None:
        """Get a token and keep it; returns why there is none, or None."""
        try:
            with anyio.move_on_after(self._timeout):
                kept.keep(await self._ask(grant, kept))
                return None
        except ToolError as problem:
            return problem.message
        url = _asked_at(grant, kept) or grant.discovery_url
        return no_token(url, "it did not answer in time.", "Retrying later may help.").message

    async def _discovered(self, grant: Grant | TokenExchange) -> str:
        certified = grant.certificate is not None
        return await self._servers.token_endpoint(grant.discovery_url, certified=certified)

    async def _exchange(self, asked: TokenExchange) -> str:
        url = asked.token_url or await self._discovered(asked)
        form = {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": asked.subject_token,
            "subject_token_type": _ACCESS_TOKEN,
            "requested_token_type": _ACCESS_TOKEN,
            "audience": asked.audience,
            "resource": asked.resource,
            "scope": " ".join(asked.scopes),
        }
        client = Client(asked.client_id, asked.client_secret, asked.certificate)
        answer = await self._servers.ask(url, client, form)
        advice = (
            "The token that the caller brought was not exchanged for one of the API; retrying "
            "will not help before the caller brings another or its rights change."
        )
        token = access_token(answer, url, advice, (asked.subject_token, *client.secrets))
        if answer.get("issued_token_type", _ACCESS_TOKEN) not in _USABLE:
            raise no_token(url, "its token is no access token.", "Retrying will not help.")
        return token

    async def _ask(self, grant: Grant, kept: _KeptToken) -> Mapping[str, Any]:
        client = Client(grant.client_id, grant.client_secret, grant.certificate)
        url = _asked_at(grant, kept) or await self._discovered(grant)
        if kept.refresh_token:
            form = {"grant_type": "refresh_token", "refresh_token": kept.refresh_token}
            answer = await self._servers.ask(url, client, form)
            if answer.get("error") == "invalid_grant" and kept.refresh_token != grant.refresh_token:
                kept.refresh_token = grant.refresh_token  # another process may have used it up
                form["refresh_token"] = kept.refresh_token
                answer = await self._servers.ask(url, client, form)
        else:
            form = {"grant_type": "client_credentials", "scope": " ".join(grant.scopes)}
            answer = await self._servers.ask(url, client, form)
        secrets = (*client.secrets, grant.refresh_token, kept.refresh_token)
        access_token(answer, url, _CREDENTIALS, secrets)
        return answer


def _asked_at(grant: Grant, kept: _KeptToken) -> str:
    """Where a token is asked for; empty where the issuer's metadata says it."""
    return grant.refresh_url if kept.refresh_token else grant.token_url


def _seconds(value: Any) -> float:
    """How long a token is good for; for ever where that is not said."""
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return float("inf")
    return seconds if seconds >= 0 else 0.0
