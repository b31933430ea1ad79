"""The observers of a running call: audit, spans, metrics, and counters of API requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ..values.errors import ApiError

Report = Callable[[float, float | None, str | None], Awaitable[None]]


@dataclass
class Request:
    """A request to the API: its method, its path template, and the status of the answer."""

    method: str
    template: str
    host: str
    status: int | None = None
    size: int | None = None
    """Bytes of the answer."""

    @property
    def operation(self) -> str:
        """The operation as the document names it: method and path."""
        return f"{self.method} {self.template}"


@dataclass
class Observed:
    """A running call: its requests to the API, and the callbacks of its observers."""

    requests: list[Request] = field(default_factory=list)
    goes_on: bool = False
    """The call outlives its request, as a task: whoever carries it on calls `on_end`."""
    on_end: Callable[[str], object] = field(default=lambda _: None, repr=False)
    """Takes the outcome of the call, once."""
    upstream: Callable[[Mapping[str, str] | None], Sequence[tuple[str, str]]] = field(
        default=lambda _: (), repr=False
    )
    """The headers that requests to the API get besides, by those of the caller's request."""
    on_token: Callable[[str, str], object] = field(default=lambda *_: None, repr=False)
    """Takes the host and outcome of each request for an access token."""

    @contextmanager
    def request(self, method: str, template: str, host: str) -> Iterator[Request]:
        """Record a request to the API while the block runs.

        If the request succeeds, the block must set the status of the yielded `Request`.
        """
        noted = Request(method, template, host)
        self.requests.append(noted)
        try:
            yield noted
        except ApiError as problem:
            noted.status = problem.status
            raise


OBSERVED: ContextVar[Observed | None] = ContextVar("observed", default=None)
"""The call that is being answered, where anybody watches."""
