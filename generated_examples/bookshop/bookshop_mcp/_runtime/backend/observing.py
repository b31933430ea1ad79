"""Records what a tool call does, for the audit log, spans and metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ..values.errors import ApiError


@dataclass
class Request:
    """A request to the API: its method and path template, and the status it was answered with."""

    method: str
    template: str
    host: str
    status: int | None = None
    size: int | None = None
    """Bytes of the answer."""

    @property
    def operation(self) -> str:
        """The operation, as documents name it."""
        return f"{self.method} {self.template}"


@dataclass
class Observed:
    """One call that is watched."""

    requests: list[Request] = field(default_factory=list)
    goes_on: bool = False
    """The call outlives its request, as a task: whoever carries it on calls `on_end`."""
    on_end: Callable[[str], object] = field(default=lambda _: None, repr=False)
    """Takes the outcome of the call, once."""

    @contextmanager
    def request(self, method: str, template: str, host: str) -> Iterator[Request]:
        """Note a request as long as the block runs; the block says the status of a success."""
        noted = Request(method, template, host)
        self.requests.append(noted)
        try:
            yield noted
        except ApiError as problem:
            noted.status = problem.status
            raise


OBSERVED: ContextVar[Observed | None] = ContextVar("observed", default=None)
"""The call that is being answered, where anybody watches."""


def is_exported(environ: Mapping[str, str]) -> bool:
    """Whether the environment configures an exporter of OpenTelemetry."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    named = ("OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER")
    return any(
        value and (name.startswith("OTEL_EXPORTER_OTLP_") or (name in named and value != "none"))
        for name, value in environ.items()
    )
