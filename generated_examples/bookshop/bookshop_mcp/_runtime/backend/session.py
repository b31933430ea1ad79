"""The state that all calls of a running server share: hooks, connections, and each API."""

from __future__ import annotations

import inspect
import json
import logging
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import ModuleType
from typing import Any

import httpx2

from ..credentials.api import Api
from ..credentials.auth import no_token
from ..values.errors import ToolError
from ..values.jsontext import Most
from ..values.settings import Settings
from .failures import retry_after, unanswered
from .reading import BodyError, read_body
from .tls import tls_context

logger = logging.getLogger(__name__)

MOCK_URL = "http://mock.invalid"
"""The base URL of requests that `--mock` answers, where none is set."""
_MAX_IDLE_CONNECTIONS = 20
"""Connections kept for later; the pool looks at each of them for every request."""
_KEEP_ALIVE_SECONDS = 4.0
"""Seconds of idleness: less than the 5 after which many servers close, just as a request comes."""
_MAX_JSON_BYTES = 1024 * 1024
"""Bytes of JSON that is not the API's."""


class Hooks:
    """The author's `hooks.py`; each of its functions is optional, and plain or async."""

    def __init__(self, module: ModuleType | None) -> None:
        self._module = module

    @asynccontextmanager
    async def lifespan(self, server: Any) -> AsyncIterator[Any]:
        """Run the author's `lifespan(server)`; the object that it yields is every handler's
        `ctx.state`.
        """
        opened = getattr(self._module, "lifespan", None)
        if opened is None:
            yield None
        else:
            async with opened(server) as state:
                yield state

    @property
    def signs(self) -> bool:
        """Whether the author's `authenticate` may add credentials, and does not only decline."""
        code = getattr(getattr(self._module, "authenticate", None), "__code__", None)
        return code is not None and (bool(code.co_names) or True in code.co_consts)

    @cached_property
    def takes(self) -> frozenset[str]:
        """The parameter names of the hook `authenticate`; empty if there is no such hook.

        If one of them is `refused`, the hook is called again after a 401.
        """
        function = getattr(self._module, "authenticate", None)
        return frozenset(() if function is None else inspect.signature(function).parameters)

    async def call(self, name: str, argument: Any, **more: Any) -> Any:
        """Run the hook `name`, such as `before_request`; returns its result, or None without this
        hook.
        """
        function = getattr(self._module, name, None)
        if function is None:
            return None
        result = function(argument, **more)
        return await result if inspect.isawaitable(result) else result


class Connections:
    """The transports of the running server: a common one, and one for each client certificate."""

    def __init__(
        self, settings: Settings, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._replacement = transport
        self._opened: dict[Any, httpx2.AsyncBaseTransport] = {}
        self._contexts: Any = None
        """The TLS contexts of client certificates, once there is one."""

    def get(self, certificate: Any) -> httpx2.AsyncBaseTransport:
        """The transport for a client certificate, or without one (None); it is created on first
        use.

        Connections that are opened after the certificate was renewed show the new one.

        Raises:
            ToolError: the certificate, or that of an authority, cannot be read.
        """
        if self._replacement is not None:
            return self._replacement
        make = partial(_tls, self._settings)
        if certificate is not None:
            self._contexts = self._contexts or certificate.contexts(make)
            make = partial(self._contexts.get, certificate)
            make()
        if certificate not in self._opened:
            self._opened[certificate] = self._open(make())
        return self._opened[certificate]

    async def aclose(self) -> None:
        """Close every connection."""
        opened, self._opened = list(self._opened.values()), {}
        for transport in opened:
            await transport.aclose()

    def _open(self, context: ssl.SSLContext) -> httpx2.AsyncBaseTransport:
        settings = self._settings
        limits = httpx2.Limits(
            max_connections=settings.max_connections,
            max_keepalive_connections=min(settings.max_connections, _MAX_IDLE_CONNECTIONS),
            keepalive_expiry=_KEEP_ALIVE_SECONDS,
        )
        try:
            return httpx2.AsyncHTTPTransport(
                verify=context, trust_env=False, limits=limits, proxy=settings.proxy
            )
        except ImportError:
            logger.exception("the proxy cannot be used")
            raise ToolError(
                "This server's proxy is a SOCKS proxy, and the package `socksio` is not installed. "
                "Nothing was sent."
            ) from None


def _tls(settings: Settings) -> ssl.SSLContext:
    try:
        return tls_context(settings.ca_bundle)
    except OSError:
        logger.exception("the CA bundle cannot be read")
        raise ToolError(
            "The CA bundle set in this server's environment cannot be read. Nothing was sent."
        ) from None


@dataclass(frozen=True)
class Backend:
    """The state that all calls of an API share."""

    api: Api
    settings: Settings
    connections: Connections
    hooks: Hooks
    user_agent: str
    mock: bool = False
    """Answers are examples: no credential is needed."""
    seals: bool = True
    """What a client keeps of a call that asks its user is sealed."""
    effects: Any = None
    """In a dry run, which requests write: a `dry_run.Effects`."""
    shared: Any = None
    """What a server's replicas share of their access tokens, where they do."""
    is_only: bool = True
    """The server has no other API, which the author's hook may be meant for."""

    kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What credentials keep as long as the server runs: access tokens, and challenges."""

    def of(self, tool: str) -> Backend:
        """This backend; if the tool has its own settings for calls, a copy with them."""
        own = self.api.calls.get(tool)
        return replace(self, settings=replace(self.settings, **own)) if own else self

    @property
    def most(self) -> Most:
        """The maximum number of values in an answer that is read as data."""
        return Most(self.settings.max_values, f"{self.api.env_prefix}_MAX_VALUES")

    async def fetch_json(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        certificate: Any = None,
    ) -> Mapping[str, Any]:
        """The JSON object at a URL, with its `status` added, and `error` if the status is not 200.

        An array is under `items`. `wait` is the server's Retry-After in seconds, or None. Raises:
        ToolError: there is no readable answer.
        """
        settings = self.settings
        timeout = httpx2.Timeout(settings.read_timeout, connect=settings.connect_timeout)
        own = {"User-Agent": self.user_agent, "Accept": "application/json"}
        own["Accept-Encoding"] = "gzip, deflate"
        extensions = {"timeout": timeout.as_dict()}
        request = httpx2.Request(
            method, url, headers={**own, **headers}, content=body, extensions=extensions
        )
        try:
            received = await self.connections.get(certificate).handle_async_request(request)
            try:
                assert isinstance(received.stream, AsyncIterable)
                content, _ = await read_body(received.stream, received.headers, _MAX_JSON_BYTES)
            finally:
                await received.aclose()
        except (httpx2.HTTPError, BodyError) as problem:
            why = unanswered(problem, self.api.env_prefix, proxied=settings.proxy is not None)
            raise no_token(url, why, "Retrying later may help.") from None
        value, status = None, received.status_code
        with suppress(ValueError, RecursionError):
            value = json.loads(content)
        answer = {"items": value} if isinstance(value, list) else value
        answer = answer if isinstance(answer, dict) else {}
        error = answer.pop("error", None)
        if error or status != 200:
            answer["error"] = error or ("invalid_client" if status == 401 else "")
        wait = retry_after(received.headers.get("retry-after"))
        return {**answer, "status": status, "wait": wait}


class Session:
    """The state of the running server."""

    def __init__(
        self,
        apis: Mapping[str, tuple[Api, Settings]],
        hooks: Hooks,
        user_agent: str,
        state: Any,
        transport: httpx2.AsyncBaseTransport | None,
        parts: Mapping[str, Any],
        effects: Any = None,
    ) -> None:
        """`apis` has the server's own API under the empty name."""
        self.state = state
        self.parts = parts
        """What each part's `install` returned."""
        self.running: dict[str, Any] = {}
        """What each part's `running()` gave for this life of the server."""
        self.catalogue: Any = None
        """The package's tools: a `calls.catalogue.Catalogue`."""
        self.access: Any = None
        """Which of them whoever asks may see and call: a `calls.access.Access`."""
        self.further: dict[str, Backend] = {}
        """Each further API; they share no connections or credentials."""
        seals = self.able("questions_of") is not None
        sharing = self.able("shared_tokens")
        mock = getattr(transport, "is_mock", False)
        for name, (api, settings) in apis.items():
            if mock:
                settings = replace(settings, base_url=settings.base_url or MOCK_URL)
            connections, is_only = Connections(settings, transport), len(apis) == 1
            self.further[name] = Backend(
                api,
                settings,
                connections,
                hooks,
                user_agent,
                mock=mock,
                is_only=is_only,
                seals=seals,
                shared=sharing and sharing.shared_tokens,
                effects=effects,
            )
        self.backend = self.further.pop("")
        """The server's own API."""
        headers = (name for _, settings in apis.values() for name in settings.caller_headers)
        self.caller_headers = tuple(dict.fromkeys(headers))
        """The headers, of all APIs, that tell callers over HTTP apart."""

    def able(self, ability: str) -> Any:
        """The first part with a method of the name `ability`; None if no part has it."""
        return next((each for each in self.parts.values() if hasattr(each, ability)), None)

    async def aclose(self) -> None:
        """Close the connections."""
        for backend in (self.backend, *self.further.values()):
            await backend.connections.aclose()
