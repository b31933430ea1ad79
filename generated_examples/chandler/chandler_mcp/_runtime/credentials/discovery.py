"""Where an OpenID provider's token endpoint is: its metadata (OpenID Connect Discovery 1.0)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio

from ..backend.url_checks import is_secure
from ..backend.urls import WELL_KNOWN
from .token_endpoint import fetch_json, no_token, refusal

if TYPE_CHECKING:
    from ..backend.exchange import Backend

_LIFE = 3600.0
"""Seconds until metadata is read again."""
_READY = "Retrying will not help; a token that is ready in this server's environment would."


class Issuers:
    """The OpenID providers that a server asks."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lock = anyio.Lock()
        self._found: dict[str, tuple[str, float]] = {}

    async def token_endpoint(self, url: str) -> str:
        """The token endpoint that the metadata at `url` names; metadata is read once an hour.

        Raises:
            ToolError: it cannot be read, is another issuer's (Discovery 4.3), or names a place to
                which no secret may be sent.
        """
        async with self._lock:
            endpoint, ends = self._found.get(url, ("", 0.0))
            if time.monotonic() >= ends:
                endpoint = await self._read(url)
                self._found[url] = (endpoint, time.monotonic() + _LIFE)
        return endpoint

    async def _read(self, url: str) -> str:
        metadata = await fetch_json(self._backend, "GET", url, {})
        if "error" in metadata:
            why, later = refusal(metadata)
            raise no_token(url, why, "Retrying later may help." if later else _READY)
        issuer, endpoint = metadata.get("issuer"), metadata.get("token_endpoint")
        if not isinstance(issuer, str) or issuer.rstrip("/") + WELL_KNOWN != url:
            raise no_token(url, "its metadata is that of another issuer.", _READY)
        if not isinstance(endpoint, str) or not is_secure(endpoint):
            raise no_token(url, "its metadata names no token endpoint by https.", _READY)
        return endpoint
