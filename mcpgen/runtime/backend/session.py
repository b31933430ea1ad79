"""What all calls of a server share, as long as it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..credentials.auth import Api
from ..values.settings import Settings
from .hooks import Hooks

if TYPE_CHECKING:
    import httpx2

    from .shared import Backend

MOCK_URL = "http://mock.invalid"
"""The base URL of requests that `--mock` answers, where none is set."""


class Session:
    """What lives as long as the server runs; the first call makes the HTTP client."""

    def __init__(
        self,
        apis: Mapping[str, tuple[Api, Settings]],
        hooks: Hooks,
        user_agent: str,
        state: Any,
        transport: httpx2.AsyncBaseTransport | None,
        features: Mapping[str, Any],
    ) -> None:
        """`apis` holds the server's own API under the empty name."""
        self.state = state
        self.features = features
        """What each feature's `install` returned."""
        self.running: dict[str, Any] = {}
        """What each feature's `running()` gave for this life of the server."""
        self._apis = apis
        self._hooks = hooks
        self._user_agent = user_agent
        self._transport = transport

    @property
    def backend(self) -> Backend:
        """The HTTP client of the server's own API, and what it needs."""
        return self._backends[""]

    @cached_property
    def further(self) -> Mapping[str, Backend]:
        """The same for each further API; they share no connections or credentials."""
        return {name: backend for name, backend in self._backends.items() if name}

    @cached_property
    def caller_headers(self) -> tuple[str, ...]:
        """The headers, of all APIs, that tell callers over HTTP apart."""
        every = (settings.caller_headers for _, settings in self._apis.values())
        return tuple(dict.fromkeys(header for headers in every for header in headers))

    @cached_property
    def _backends(self) -> dict[str, Backend]:
        from .shared import Backend
        from .transport import Connections

        mock = getattr(self._transport, "is_mock", False)
        found = {}
        for name, (api, settings) in self._apis.items():
            if mock:
                settings = replace(settings, base_url=settings.base_url or MOCK_URL)
            found[name] = Backend(
                api,
                settings,
                Connections(settings, self._transport),
                self._hooks,
                self._user_agent,
                mock=mock,
                is_only=len(self._apis) == 1,
            )
        return found

    async def aclose(self) -> None:
        """Close the connections."""
        for backend in self.__dict__.get("_backends", {}).values():
            await backend.connections.aclose()
