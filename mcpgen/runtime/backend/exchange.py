"""One request on its way: deadline, hooks, redirects, and reading the answer."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio

from ..values.errors import ApiError, ToolError, optional
from .answer import Answer, is_success
from .failures import (
    broken_off,
    endless_redirect,
    is_passing,
    late,
    refused_redirect,
    unreachable,
    unreadable,
    unsigned,
)
from .masking import credential_texts
from .outgoing import Outgoing
from .progress import Report
from .reading import BodyError, Progress, read_body
from .retries import Retries
from .shared import Backend
from .signing import Signing
from .streams import beginning, time_left
from .transport import retire_if_unfit

if TYPE_CHECKING:
    import httpx2

    from ..credentials.schemes import Grant, TokenExchange, User

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 5
PROGRESS_STEP = 256 * 1024
REDIRECTS = (301, 302, 303, 307, 308)
_UNENDED = "it is a stream that had not ended when its time was up; this is its beginning"
_BROKEN = "it is a stream that broke off or fell silent before its end; this is its beginning"


class NoAnswer(Exception):
    """No whole answer came; `error` says so to the agent."""

    def __init__(self, error: ApiError, passing: bool, arrived: bool) -> None:
        super().__init__(error.message)
        self.error = error
        self.passing = passing
        """Another connection may fare better."""
        self.arrived = arrived
        """The connection itself came about."""


@dataclass(frozen=True)
class Exchange:
    """Sends the request of one call, and whatever requests redirects make of it."""

    backend: Backend
    tool: str
    report: Report | None
    signing: Signing
    expect: tuple[str, ...]

    async def run(self, outgoing: Outgoing) -> Answer:
        """Send a request and read its answer within the call's deadline, redirects followed.

        Raises:
            ToolError: a credential is missing; nothing was sent.
            ApiError: there is no answer, or none that can be read whole.
        """
        retries = Retries(self.backend.settings)
        elsewhere = False
        with anyio.move_on_after(self.backend.settings.timeout):
            for _ in range(MAX_REDIRECTS + 1):
                answer = await self._signed(outgoing, retries)
                if answer.status not in REDIRECTS or is_success(answer.status, self.expect):
                    return replace(answer, elsewhere=elsewhere)
                elsewhere = elsewhere or answer.status in (302, 303)
                following = outgoing.redirected(answer.status, answer.headers.get("location", ""))
                if following is None:
                    raise refused_redirect(answer, outgoing, self.signing.secrets)
                outgoing = following
            raise endless_redirect(MAX_REDIRECTS, outgoing)
        raise self._late(outgoing)

    def _late(self, outgoing: Outgoing) -> ApiError:
        backend = self.backend
        return late(outgoing, backend.settings.timeout, f"{backend.api.env_prefix}_TIMEOUT")

    async def _signed(self, outgoing: Outgoing, retries: Retries) -> Answer:
        """Send with an access token where one is got; one that is refused (401) is renewed once."""
        grant, user = self.signing.credentials.grant, self.signing.credentials.user
        if user is not None:
            return await self._proven(user, outgoing, retries)
        if grant is None:
            return await self._persist(outgoing, retries)
        token = await self._token(grant, outgoing)
        answer = await self._persist(outgoing.bearing(token), retries)
        if answer.status != 401 or not grant.is_kept:
            return answer
        logger.info("%s: the access token was refused; another one is asked for", self.tool)
        token = await self._token(grant, outgoing, refused=token)
        return await self._persist(outgoing.bearing(token), retries)

    async def _proven(self, user: User, outgoing: Outgoing, retries: Retries) -> Answer:
        """Send with proof of who signs in, and again where the API challenges anew (401)."""
        challenges = self.backend.kept(challenges_to)
        answered = challenges.has(user)
        answer = await self._persist(outgoing, retries)
        if answer.status != 401 or not challenges.take(user, answer.headers, answered=answered):
            return answer
        return await self._persist(outgoing, retries)

    def _prove(self, user: User, request: httpx2.Request) -> None:
        """Answer the last challenge by a request as it goes out, unless a hook has signed it."""
        target = request.extensions.get("target", request.url.raw_path).decode("ascii")
        proof = self.backend.kept(challenges_to).proof(user, request.method, target)
        if proof is None or "authorization" in request.headers:
            return
        request.headers["Authorization"] = proof.authorization
        if proof.cookies:
            pairs = (request.headers.get("Cookie"), proof.cookies)
            request.headers["Cookie"] = "; ".join(filter(None, pairs))
        self.signing.issued.extend((proof.response, proof.cookies))
        self.signing.issued.extend(credential_texts([("Authorization", proof.authorization)]))

    async def _token(
        self, grant: Grant | TokenExchange, outgoing: Outgoing, refused: str = ""
    ) -> str:
        try:
            token: str = await self.backend.kept(tokens_of).get(grant, refused)
        except ToolError as problem:
            raise unsigned(problem, outgoing) from None
        self.signing.issued.append(token)
        return token

    async def _persist(self, outgoing: Outgoing, retries: Retries) -> Answer:
        while True:
            arrived = True
            try:
                answer = await self._exchange(outgoing)
            except NoAnswer as broken:
                arrived = broken.arrived
                if not (broken.passing and await retries.after_failure(outgoing, arrived)):
                    raise broken.error from None
            else:
                if not await retries.after_answer(outgoing, answer):
                    return answer
            outgoing = replace(outgoing, tried=outgoing.tried or arrived)
            logger.info("%s: the request is sent again", self.tool)

    async def _exchange(self, outgoing: Outgoing) -> Answer:
        import httpx2

        settings = self.backend.settings
        # Waiting for a free connection ends before the call does, so that it can be told.
        timeout = httpx2.Timeout(
            settings.read_timeout, connect=settings.connect_timeout, pool=time_left()
        )
        request = outgoing.build(self.tool, timeout)
        await self._prepare(request)
        transport = self.backend.connections.get(outgoing.certificate)
        try:
            received = await transport.handle_async_request(request)
        except httpx2.HTTPError as problem:
            logger.info("%s: no answer: %s", self.tool, type(problem).__name__)
            connected = not isinstance(problem, httpx2.ConnectError | httpx2.ConnectTimeout)
            prefix, proxied = self.backend.api.env_prefix, settings.proxy is not None
            error = unreachable(problem, outgoing, prefix, proxied=proxied)
            raise NoAnswer(error, is_passing(problem), connected) from None
        try:
            return await self._read(received, outgoing)
        except httpx2.HTTPError as problem:
            logger.info("%s: no whole answer: %s", self.tool, type(problem).__name__)
            error = broken_off(problem, received.status_code, outgoing)
            raise NoAnswer(error, is_passing(problem), True) from None
        finally:
            await received.aclose()

    async def _prepare(self, request: httpx2.Request) -> None:
        signing = self.signing
        hooks = self.backend.hooks
        url = request.url
        signed = False
        if signing.hooked:
            before = dict(request.headers)
            signed = await hooks.authenticate(request)
            signing.issued.extend(credential_texts(_added(request, before)))
            if request.url != url:
                known = set(url.params.multi_items())
                signing.issued.extend(
                    v for k, v in request.url.params.multi_items() if (k, v) not in known
                )
        if signing.missing is not None and not signed:
            raise signing.missing
        before = dict(request.headers)
        await hooks.before_request(request)
        signing.issued.extend(credential_texts(_added(request, before), named=True))
        if request.url != url:
            del request.extensions["target"]
            if request.headers.get("host") == url.netloc.decode():
                request.headers["Host"] = request.url.netloc.decode()
        if signing.credentials.user is not None:
            self._prove(signing.credentials.user, request)

    async def _read(self, received: httpx2.Response, outgoing: Outgoing) -> Answer:
        headers = received.headers
        length = headers.get("content-length", "")
        progress = self._progress(float(length) if length.isdigit() else None)
        assert isinstance(received.stream, AsyncIterable)
        stream = beginning(aiter(received.stream), headers)
        try:
            body = await read_body(
                stream,
                headers.get("content-encoding", ""),
                self.backend.settings.max_response_bytes,
                progress,
            )
        except BodyError as problem:
            raise unreadable(problem, received.status_code, outgoing) from None
        if stream.cut and not body.content:  # of the encoding alone something came
            raise stream.problem or self._late(outgoing)
        await retire_if_unfit(received)
        reason = received.extensions.get("reason_phrase", b"").decode("ascii", "ignore")
        unended = _BROKEN if stream.problem else _UNENDED
        misfits = tuple(filter(None, (body.misfit, unended if stream.cut else "")))
        content, status = stream.whole_lines(body.content), received.status_code
        return Answer(status, reason, headers, content, misfits, outgoing.after)

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


def tokens_of(backend: Backend) -> Any:
    """The access tokens for an API: its `Tokens`, which only servers have that get some."""
    return optional("credentials.oauth").Tokens(backend.fetch_json, backend.settings.timeout)


def challenges_to(_: Backend) -> Any:
    """The `Challenges` of an API, which only servers have whose document has HTTP Digest."""
    return optional("credentials.digest").Challenges()


def _added(request: httpx2.Request, before: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The headers that a hook has set."""
    return (item for item in request.headers.items() if item[1] != before.get(item[0]))
