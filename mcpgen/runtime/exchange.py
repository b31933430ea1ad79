"""One request on its way: deadline, hooks, redirects, and reading the answer."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from .answer import Answer, is_success
from .auth import Credentials
from .description import Api
from .errors import ToolError
from .failures import (
    broken_off,
    endless_redirect,
    late,
    refused_redirect,
    unreachable,
    unreadable,
)
from .hooks import Hooks
from .outgoing import Outgoing
from .reading import BodyError, Progress, read_body
from .settings import Settings
from .transport import Connections, retire_if_dirty

if TYPE_CHECKING:
    import httpx2

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 5
PROGRESS_STEP = 256 * 1024
REDIRECTS = (301, 302, 303, 307, 308)

Report = Callable[[float, float | None, str | None], Awaitable[None]]


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


@dataclass(frozen=True)
class Signing:
    """What a request may carry, and what must not be shown when it fails."""

    credentials: Credentials
    allowed: bool
    """False: the host is none that may receive credentials."""
    wanted: bool
    """The operation asks for a credential."""
    missing: ToolError | None = None
    """Raised unless a hook signs the request."""


@dataclass(frozen=True)
class Exchange:
    """Sends the request of one call, and whatever requests redirects make of it."""

    backend: Backend
    tool: str
    report: Report | None
    signing: Signing
    expect: tuple[str, ...]

    async def run(self, outgoing: Outgoing) -> Answer:
        """Send a request and read its answer within the call's deadline.

        Raises:
            ToolError: a credential is missing; nothing was sent.
            ApiError: there is no answer, or none that can be read whole.
        """
        settings = self.backend.settings
        try:
            with anyio.fail_after(settings.timeout):
                return await self._follow(outgoing)
        except TimeoutError:
            variable = f"{self.backend.api.env_prefix}_TIMEOUT"
            raise late(outgoing, settings.timeout, variable) from None

    async def _follow(self, outgoing: Outgoing) -> Answer:
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._exchange(outgoing)
            if answer.status not in REDIRECTS or is_success(answer.status, self.expect):
                return answer
            following = outgoing.redirected(answer.status, answer.headers.get("location", ""))
            if following is None:
                raise refused_redirect(answer, outgoing, self.signing.credentials.secrets)
            outgoing = following
        raise endless_redirect(MAX_REDIRECTS)

    async def _exchange(self, outgoing: Outgoing) -> Answer:
        import httpx2

        settings = self.backend.settings
        read = settings.read_timeout
        timeout = {"connect": settings.connect_timeout, "read": read, "write": read}
        request = outgoing.build(self.tool, timeout | {"pool": settings.timeout})
        await self._prepare(request)
        transport = self.backend.connections.get(outgoing.certificate)
        try:
            received = await transport.handle_async_request(request)
        except httpx2.HTTPError as problem:
            logger.info("%s: no answer: %s", self.tool, type(problem).__name__)
            variable = f"{self.backend.api.env_prefix}_CA_BUNDLE"
            raise unreachable(problem, outgoing, variable) from None
        try:
            return await self._read(received, outgoing)
        except httpx2.HTTPError as problem:
            logger.info("%s: no whole answer: %s", self.tool, type(problem).__name__)
            raise broken_off(problem, received.status_code, outgoing) from None
        finally:
            await received.aclose()

    async def _prepare(self, request: httpx2.Request) -> None:
        signing = self.signing
        hooks = self.backend.hooks
        url = request.url
        signed = signing.allowed and signing.wanted and await hooks.authenticate(request)
        if signing.missing is not None and not signed:
            raise signing.missing
        await hooks.before_request(request)
        if request.url != url:
            del request.extensions["target"]

    async def _read(self, received: httpx2.Response, outgoing: Outgoing) -> Answer:
        headers = received.headers
        length = headers.get("content-length", "")
        progress = self._progress(float(length) if length.isdigit() else None)
        stream = received.stream
        assert isinstance(stream, AsyncIterable)
        try:
            body = await read_body(
                stream,
                headers.get("content-encoding", ""),
                self.backend.settings.max_response_bytes,
                progress,
            )
        except BodyError as problem:
            raise unreadable(problem, received.status_code, outgoing) from None
        await retire_if_dirty(received)
        reason = received.extensions.get("reason_phrase", b"").decode("ascii", "ignore")
        misfits = (body.misfit,) if body.misfit else ()
        return Answer(received.status_code, reason, headers, body.content, misfits)

    def _progress(self, total: float | None) -> Progress | None:
        report = self.report
        if report is None:
            return None
        told = 0

        async def progress(arrived: int) -> None:
            nonlocal told
            if arrived - told >= PROGRESS_STEP:
                told = arrived
                await report(arrived, total, "bytes of the API's answer")

        return progress
