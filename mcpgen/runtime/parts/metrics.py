"""Metrics for Prometheus, on a separate address: calls, requests to APIs, and access tokens.

Labels never identify a caller or arguments: they are names of tools, hosts and outcomes, which this
server chooses.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ..backend.observing import Request
from ..values.settings import ConfigurationError
from .http.settings import HttpSettings, MetricsSettings

if TYPE_CHECKING:
    from ..app.builder import Builder
    from ..calls.server import ServerParts
    from .http.listen import Address

logger = logging.getLogger(__name__)

_DEFAULT = "127.0.0.1:9100"
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Seconds: a call may last as long as `timeout` says, which is 60."""


NEEDS = ("http",)
SETTINGS = MetricsSettings


def check(app: Builder, settings: MetricsSettings) -> None:
    """Refuse an invalid address or a missing package; raises ConfigurationError."""
    if settings.metrics:
        _address(settings, app.api.env_prefix)


def install(server: ServerParts) -> None:
    """Let a server over HTTP count its calls, if the settings ask for it."""
    from .http import guard

    settings = server.settings_of(MetricsSettings)
    if settings.metrics:
        store = server.parts.get("store")

        def counting() -> Metrics:
            metrics = Metrics(settings, server.api.env_prefix)
            if store is not None:
                store.counting(metrics.stepped)
            return metrics

        guard.of(server.server).counting = counting


def _address(settings: MetricsSettings, prefix: str) -> Address:
    """The address at which metrics are served; raises ConfigurationError.

    That is raised if the address is invalid, or if the package `prometheus_client` is missing.
    """
    variable = f"{prefix}_METRICS"
    try:
        import prometheus_client  # noqa: F401  # of the extra `metrics`
    except ImportError:
        raise ConfigurationError(
            f"{variable} needs a package that is missing: install the extra `metrics`"
        ) from None
    from .http.listen import Address

    return Address.read(settings.metrics or "", variable, _DEFAULT)


def _is_known(host: str, settings: HttpSettings) -> bool:
    """Whether a Host header is safe to answer: this server's, a bare name or an IP address."""
    from .http.asgi import HOST, is_own

    name = whole[1] if (whole := HOST.fullmatch(host)) else ".x"
    is_foreign = "." in name and not name.replace(".", "").isdigit()
    return not is_foreign or is_own(host, settings)


class Metrics:
    """The counters of one server."""

    def __init__(self, settings: MetricsSettings, prefix: str) -> None:
        """Raises ConfigurationError if the server cannot listen on the address."""
        from .http.listen import bind

        self._address = _address(settings, prefix)
        assert isinstance(settings, HttpSettings)
        self._settings = settings
        self._variable = f"{prefix}_PUBLIC_HOSTS"
        try:
            bind(self._address).close()
        except OSError as problem:
            host, port = self._address
            raise ConfigurationError(
                f"{prefix}_METRICS: cannot listen on {host}:{port}: "
                f"{problem.strerror or problem}. Name another address: each process needs its own"
            ) from None
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._registry = registry = CollectorRegistry()  # several servers may share a process
        by_call = ["method", "tool"]
        self._calls = Counter(
            "mcp_calls", "Calls of clients.", [*by_call, "outcome"], registry=registry
        )
        self._seconds = Histogram(
            "mcp_call_seconds",
            "Seconds of clients' calls.",
            by_call,
            registry=registry,
            buckets=_BUCKETS,
        )
        self._requests = Counter(
            "mcp_api_requests", "Requests to APIs.", ["host", "status"], registry=registry
        )
        self._steps = Histogram(
            "mcp_store_seconds", "Steps in the store.", ["outcome"], registry=registry
        )
        self._tokens = Counter(
            "mcp_token_renewals", "Tokens for APIs.", ["host", "outcome"], registry=registry
        )

    def called(
        self, method: str, tool: str, outcome: str, seconds: float, requests: Iterable[Request]
    ) -> None:
        """Count a finished call, and its requests to APIs."""
        self._calls.labels(method, tool, outcome).inc()
        if seconds:  # else it was refused before it began
            self._seconds.labels(method, tool).observe(seconds)
        for each in requests:
            self._requests.labels(each.host, str(each.status or "none")).inc()

    def stepped(self, seconds: float, failed: bool) -> None:
        """Record the duration and the outcome of an operation on the server's store."""
        self._steps.labels("error" if failed else "ok").observe(seconds)

    def renewed(self, host: str, outcome: str) -> None:
        """Count a request to an authorization server for an API's access token."""
        self._tokens.labels(host, outcome).inc()

    def _answer(self, app: Any, environ: dict[str, str], respond: Any) -> Any:
        """Pass a request on to `app`, or answer 421 if its Host header names a foreign site."""
        if _is_known(environ.get("HTTP_HOST", "").lower(), self._settings):
            return app(environ, respond)
        respond("421 Misdirected Request", [("Content-Type", "text/plain")])
        return [
            f"This server does not accept that Host header: {self._variable} lists its "
            "hosts\n".encode()
        ]

    @contextmanager
    def served(self) -> Iterator[None]:
        """Answer Prometheus in a thread as long as the block runs."""
        from prometheus_client import start_http_server

        started: Any = start_http_server(self._address.port, self._address.host, self._registry)
        started[0].set_app(partial(self._answer, started[0].get_app()))
        logger.info("metrics at http://%s:%d/metrics", *started[0].server_address[:2])
        try:
            yield
        finally:
            started[0].shutdown()
            started[0].server_close()
