"""One request from start to end: deadline, hooks, retries, redirects, and reading the answer."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable
from dataclasses import dataclass, replace
from random import uniform
from typing import Any

import anyio
import httpx2

from ..values.settings import Settings
from . import failures
from .answer import Answer, is_success
from .failures import NoAnswer, retry_after
from .observing import Report
from .outgoing import IDEMPOTENT, Outgoing
from .reading import BodyError, read_body, time_left
from .session import Backend
from .signing import Signing, credential_texts

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
_SENT_AGAIN = (429, 502, 503, 504)
"""Answers after which an idempotent request is sent again."""
_FIRST, _LONGEST = 0.2, 5.0
"""Seconds: the longest wait before the first repetition, doubled each time up to the second."""


class Retries:
    """The retries that a call has left: how many, and how long it waits before each."""

    def __init__(self, settings: Settings) -> None:
        self._retries = settings.retries
        self._seconds = settings.retry_wait
        self._longest = _FIRST

    async def wait(self, method: str, pause: float | None, *, at_once: bool = False) -> bool:
        """Wait before a request with this method is sent again; returns False if it must not be
        sent.

        `pause` is the wait that the API asks for. With `at_once` the first retry does not wait,
        since the connection may only have been stale. The wait never exceeds the budget or the
        call's deadline.
        """
        if self._retries <= 0 or method not in IDEMPOTENT:
            return False
        if pause is None:
            is_first = self._longest == _FIRST
            pause = 0.0 if at_once and is_first else uniform(self._longest / 2, self._longest)
            self._longest = min(2 * self._longest, _LONGEST)
        else:
            pause += uniform(0, min(_FIRST, max(0.0, self._seconds - pause)))
        ends = anyio.current_time() + pause
        if pause > self._seconds or ends >= anyio.current_effective_deadline():
            return False
        self._retries -= 1
        self._seconds -= pause
        await anyio.sleep(pause)
        return True


@dataclass(frozen=True)
class Exchange:
    """Sends the request of one call, and the requests of its redirects."""

    backend: Backend
    tool: str
    report: Report | None
    signing: Signing
    expect: tuple[str, ...]
    refused: bool = False
    """The API answered 401 to this request before; the author's hook may sign in anew."""

    async def run(self, outgoing: Outgoing) -> Answer:
        """Send a request, follow redirects, and read the answer within the call's deadline.

        Raises:
            ToolError: a credential is missing; nothing was sent.
            ApiError: there is no answer, or it cannot be read completely.
        """
        settings = self.backend.settings
        retries = Retries(settings)
        elsewhere = False
        with anyio.move_on_after(settings.timeout):
            for _ in range(MAX_REDIRECTS + 1):
                answer = await self._signed(outgoing, retries)
                if answer.status not in REDIRECTS or is_success(answer.status, self.expect):
                    return replace(answer, elsewhere=elsewhere)
                elsewhere = elsewhere or answer.status in (302, 303)
                following = outgoing.redirected(answer.status, answer.headers.get("location", ""))
                if following is None:
                    raise failures.refused_redirect(answer, outgoing, self.signing.secrets)
                outgoing = following
            raise failures.endless_redirect(MAX_REDIRECTS, outgoing)
        api = self.backend.api
        is_own = "timeout" in api.calls.get(self.tool, {})
        name = "`timeout` of mcpgen.toml" if is_own else f"{api.env_prefix}_TIMEOUT"
        raise failures.late(outgoing, settings.timeout, name)

    async def _signed(self, outgoing: Outgoing, retries: Retries) -> Answer:
        answer = await self._once(outgoing, retries)
        again = self.signing.hooked and "refused" in self.backend.hooks.takes
        if answer.status != 401 or not again:
            return answer
        logger.info("%s: the credential was refused; `authenticate` is called again", self.tool)
        return await replace(self, refused=True)._once(outgoing, retries)

    async def _once(self, outgoing: Outgoing, retries: Retries) -> Answer:
        signer = self.signing.credentials.signer
        if signer is None:
            return await self.persist(outgoing, retries)
        answer: Answer = await signer.send(self, outgoing, retries)
        return answer

    async def persist(self, outgoing: Outgoing, retries: Retries) -> Answer:
        """Send a request; repeat it while a retry may help and retries are left."""
        method = outgoing.method
        while True:
            tried = True
            try:
                answer = await self._exchange(outgoing)
                pause = retry_after(answer.headers.get("retry-after"))
                if answer.status not in _SENT_AGAIN or not await retries.wait(method, pause):
                    return answer
            except NoAnswer as problem:
                tried = problem.sent
                if not (problem.passing and await retries.wait(method, None, at_once=tried)):
                    raise
            outgoing = replace(outgoing, tried=outgoing.tried or tried)
            logger.info("%s: the request is sent again", self.tool)

    async def _exchange(self, outgoing: Outgoing) -> Answer:
        settings = self.backend.settings
        # Waiting for a free connection ends before the call does, so that it can be told.
        timeout = httpx2.Timeout(
            settings.read_timeout, connect=settings.connect_timeout, pool=time_left()
        )
        request = outgoing.build(self.tool, timeout)
        await self.prepare(request)
        transport = self.backend.connections.get(outgoing.certificate)
        try:
            received = await transport.handle_async_request(request)
        except httpx2.HTTPError as problem:
            logger.info("%s: no answer: %s", self.tool, type(problem).__name__)
            prefix, proxied = self.backend.api.env_prefix, settings.proxy is not None
            raise failures.unreachable(problem, outgoing, prefix, proxied=proxied) from None
        try:
            return await self._read(received, outgoing)
        except httpx2.HTTPError as problem:
            logger.info("%s: no whole answer: %s", self.tool, type(problem).__name__)
            raise failures.broken_off(problem, received.status_code, outgoing) from None
        finally:
            await received.aclose()

    async def prepare(self, request: httpx2.Request) -> None:
        """Let the author's hooks sign and change the request; credentials that they add are masked
        later.
        """
        signing, url = self.signing, request.url
        signed = False
        if signing.hooked:
            known = {"refused": self.refused, "caller": signing.who}
            more = {name: known[name] for name in known.keys() & self.backend.hooks.takes}
            signed = await self._hooked("authenticate", request, **more) is True
            own = url.params.multi_items()
            added = (pair for pair in request.url.params.multi_items() if pair not in own)
            signing.issued.extend(value for _, value in added)
        if signing.missing is not None and not signed:
            raise signing.missing
        await self._hooked("before_request", request, named=True)
        if request.url != url:
            del request.extensions["target"]
            if request.headers.get("host") == url.netloc.decode():
                request.headers["Host"] = request.url.netloc.decode()
        if signing.credentials.signer is not None:
            signing.credentials.signer.prove(self, request)

    async def _hooked(
        self, name: str, request: httpx2.Request, *, named: bool = False, **more: Any
    ) -> Any:
        """Run a hook; the values of the headers that it sets are masked from then on.

        With `named`, only headers whose name suggests a credential are masked.
        """
        before = dict(request.headers)
        result = await self.backend.hooks.call(name, request, **more)
        added = (item for item in request.headers.items() if item[1] != before.get(item[0]))
        self.signing.issued.extend(credential_texts(added, named=named))
        return result

    async def _read(self, received: httpx2.Response, outgoing: Outgoing) -> Answer:
        headers, status = received.headers, received.status_code
        assert isinstance(received.stream, AsyncIterable)
        cap = self.backend.settings.max_response_bytes
        try:
            content, misfits = await read_body(received.stream, headers, cap, self.report)
        except BodyError as problem:
            raise failures.unreadable(problem, status, outgoing) from None
        await _retire_if_unfit(received)
        return Answer(status, headers, content, misfits, outgoing.after)


async def _retire_if_unfit(response: httpx2.Response) -> None:
    """Close the connection of a fully read answer if it is not safe to use again.

    Any further bytes would be read as the answer to the next request. If h11's buffer for such
    bytes cannot be inspected, the connection is closed too. After a 500, some servers close the
    connection without announcing it (uvicorn, when a handler raises), and the next request on it
    would be lost.
    """
    network: Any = response.extensions.get("network_stream")
    if network is None:
        return
    try:
        stream: Any = response.stream
        surplus = stream._httpcore_stream._stream._connection._h11_state.trailing_data[0] != b""
    except AttributeError:
        surplus = True
    if surplus:
        logger.warning("an answer had bytes after its end; its connection is closed")
    if surplus or response.status_code == 500:
        await network.aclose()
