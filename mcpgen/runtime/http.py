"""The HTTP client backend: one tool call's request and the API's answer."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from . import auth, urls
from .answer import Answer, interpret, is_success
from .bodies import Kind, encode_body
from .context import Response
from .description import Api, Requirement, ServerUrl
from .errors import ToolError
from .failures import (
    api_failure,
    broken_off,
    endless_redirect,
    late,
    refused_redirect,
    unreachable,
    unreadable,
)
from .hooks import Hooks
from .outgoing import Outgoing
from .parameters import (
    build_cookie,
    build_headers,
    build_path,
    build_query,
    build_querystring,
    check_target,
)
from .reading import BodyError, Progress, read_body
from .settings import Settings
from .transport import Connections, retire_if_dirty
from .unset import UNSET

if TYPE_CHECKING:
    import httpx2

    from .style import Part

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


@dataclass(frozen=True)
class Signing:
    """What a request may carry, and what must not be shown when it fails."""

    credentials: auth.Credentials
    allowed: bool
    """False: the host is none that may receive credentials."""
    wanted: bool
    """The operation asks for a credential."""
    missing: ToolError | None = None
    """Raised unless a hook signs the request."""


class ApiClient:
    """The API's client in one tool call."""

    def __init__(self, backend: Backend, tool: str = "", report: Report | None = None) -> None:
        self._backend = backend
        self._tool = tool
        self._report = report

    async def send(
        self,
        method: str,
        template: str,
        /,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        header: Mapping[str, Any] | None = None,
        cookie: Mapping[str, Any] | None = None,
        querystring: Any = UNSET,
        json: Any = UNSET,
        form: Any = UNSET,
        multipart: Any = UNSET,
        text: Any = UNSET,
        binary: Any = UNSET,
        body: Any = UNSET,
        media_type: str | None = None,
        encoding: Mapping[str, Part] | None = None,
        accept: str = "application/json",
        expect: Sequence[str] = ("200",),
        security: Sequence[Requirement] | None = None,
        servers: Sequence[ServerUrl] | None = None,
    ) -> Response[Any]:
        """Send one request and return the API's answer.

        At most one body may be given. `expect` holds the declared success statuses; another success
        is returned with a misfit.

        Raises:
            ArgumentError: a value that cannot be sent; nothing was sent.
            ToolError: no server URL or no credential; nothing was sent.
            ApiError: the API refused, could not be reached, or gave no usable answer.
        """
        settings, limits = self._backend.settings, self._backend.settings.limits
        bodies: dict[Kind, Any] = {"json": json, "form": form, "multipart": multipart}
        bodies |= {"text": text, "binary": binary, "body": body}
        kind, value = _only(bodies)
        encoded = encode_body(kind, value, media_type, encoding, settings.file_root, limits)
        base = urls.base_url(self._backend.api, servers, settings, os.environ)
        signing = self._signing(base, security)
        own_query = build_query(query, build_querystring(querystring, limits), limits)
        filled = build_path(template, path, limits)
        root, target = urls.join(base, filled, own_query, signing.credentials.query)
        check_target(target, limits)
        cookies = [build_cookie(cookie, limits) or ""]
        cookies += [f"{name}={value}" for name, value in signing.credentials.cookies]
        headers = self._headers(
            signing,
            [("Accept", accept), ("Content-Type", encoded.content_type or "")],
            build_headers(header, limits),
            [("Cookie", "; ".join(filter(None, cookies)))],
        )
        certificate = signing.credentials.certificate
        outgoing = Outgoing(method, root, target, headers, encoded.content, certificate)
        return await self._within_deadline(outgoing, signing, tuple(expect), accept)

    def _signing(self, base: str, security: Sequence[Requirement] | None) -> Signing:
        backend = self._backend
        origin = urls.Origin.of(base)
        own = urls.own_origins(backend.api, backend.settings, os.environ) or {origin}
        wanted = bool(backend.api.security if security is None else security)
        if backend.settings.mock:
            return Signing(auth.ANONYMOUS, True, False)
        if urls.may_receive_credentials(origin, own, backend.settings):
            try:
                return Signing(auth.choose(backend.api, security, os.environ), True, wanted)
            except ToolError as missing:
                return Signing(auth.ANONYMOUS, True, wanted, missing)
        if wanted:
            logger.warning(
                "%s: no credential is sent to %s; name it in %s_ALLOW_HOSTS to send it",
                self._tool,
                origin.host,
                backend.api.env_prefix,
            )
        return Signing(auth.ANONYMOUS, False, wanted)

    def _headers(
        self, signing: Signing, *groups: Iterable[tuple[str, str]]
    ) -> tuple[tuple[str, str], ...]:
        """The headers of a request; a later group wins over an earlier, credentials over all."""
        headers: dict[str, list[tuple[str, str]]] = {}
        own = [("User-Agent", self._backend.user_agent), ("Accept-Encoding", "gzip, deflate")]
        extra = self._backend.settings.extra_headers if signing.allowed else ()
        for group in (own, extra, *groups, signing.credentials.headers):
            named: dict[str, list[tuple[str, str]]] = {}
            for name, value in group:
                if value or name not in ("Content-Type", "Cookie"):
                    named.setdefault(name.lower(), []).append((name, value))
            headers |= named
        return tuple(pair for pairs in headers.values() for pair in pairs)

    async def _within_deadline(
        self, outgoing: Outgoing, signing: Signing, expect: tuple[str, ...], accept: str
    ) -> Response[Any]:
        settings = self._backend.settings
        try:
            with anyio.fail_after(settings.timeout):
                answer = await self._follow(outgoing, signing, expect)
        except TimeoutError:
            variable = f"{self._backend.api.env_prefix}_TIMEOUT"
            raise late(outgoing, settings.timeout, variable) from None
        response = interpret(answer, expect, accept)
        await self._backend.hooks.after_response(response)
        if is_success(answer.status, expect):
            return response
        hint = self._hint(answer.status, signing, outgoing)
        raise api_failure(answer, response, hint, signing.credentials.secrets)

    def _hint(self, status: int, signing: Signing, outgoing: Outgoing) -> str:
        if status not in (401, 403) or signing.allowed or not signing.wanted:
            return ""
        return (
            f"No credential was sent: {outgoing.origin.host} is not the API's own host. "
            f"{self._backend.api.env_prefix}_ALLOW_HOSTS names hosts that may receive it."
        )

    async def _follow(
        self, outgoing: Outgoing, signing: Signing, expect: tuple[str, ...]
    ) -> Answer:
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._exchange(outgoing, signing)
            if answer.status not in REDIRECTS or is_success(answer.status, expect):
                return answer
            following = outgoing.redirected(answer.status, answer.headers.get("location", ""))
            if following is None:
                raise refused_redirect(answer, outgoing, signing.credentials.secrets)
            outgoing = following
        raise endless_redirect(MAX_REDIRECTS)

    async def _exchange(self, outgoing: Outgoing, signing: Signing) -> Answer:
        import httpx2

        settings = self._backend.settings
        read = settings.read_timeout
        timeout = {"connect": settings.connect_timeout, "read": read, "write": read}
        request = outgoing.build(self._tool, timeout | {"pool": settings.timeout})
        await self._prepare(request, signing)
        transport = self._backend.connections.get(outgoing.certificate)
        try:
            received = await transport.handle_async_request(request)
        except httpx2.HTTPError as problem:
            logger.info("%s: no answer: %s", self._tool, type(problem).__name__)
            variable = f"{self._backend.api.env_prefix}_CA_BUNDLE"
            raise unreachable(problem, outgoing, variable) from None
        try:
            return await self._read(received, outgoing)
        except httpx2.HTTPError as problem:
            logger.info("%s: no whole answer: %s", self._tool, type(problem).__name__)
            raise broken_off(problem, received.status_code, outgoing) from None
        finally:
            await received.aclose()

    async def _prepare(self, request: httpx2.Request, signing: Signing) -> None:
        hooks = self._backend.hooks
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
                self._backend.settings.max_response_bytes,
                progress,
            )
        except BodyError as problem:
            raise unreadable(problem, received.status_code, outgoing) from None
        await retire_if_dirty(received)
        reason = received.extensions.get("reason_phrase", b"").decode("ascii", "ignore")
        misfits = (body.misfit,) if body.misfit else ()
        return Answer(received.status_code, reason, headers, body.content, misfits)

    def _progress(self, total: float | None) -> Progress | None:
        report = self._report
        if report is None:
            return None
        told = 0

        async def progress(arrived: int) -> None:
            nonlocal told
            if arrived - told >= PROGRESS_STEP:
                told = arrived
                await report(arrived, total, "bytes of the API's answer")

        return progress


def _only(bodies: Mapping[Kind, Any]) -> tuple[Kind, Any]:
    given = [(kind, value) for kind, value in bodies.items() if value is not UNSET]
    if len(given) > 1:
        raise TypeError(f"send takes one body, not {' and '.join(kind for kind, _ in given)}")
    return given[0] if given else ("json", UNSET)
