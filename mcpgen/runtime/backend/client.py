"""The HTTP client that handlers call: arguments become a request, its answer becomes data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from ..bodies.encoding import EncodedBody, Kind, encode_body
from ..credentials.auth import Requirement
from ..values import urls
from ..values.arguments import UNSET, Limits, Unset
from ..values.media import accepting
from ..values.parameters import (
    build_cookie,
    build_headers,
    build_path,
    build_query,
    build_querystring,
    check_target,
)
from ..values.urls import ServerUrl
from .answer import Answer, interpret, is_success
from .exchange import Exchange
from .failures import api_failure
from .observing import OBSERVED, Report, trace_headers
from .outgoing import Outgoing
from .response import Response
from .session import Backend
from .signing import Signing, base_url, sign, without_credentials
from .threads import LARGE, aside, size_of

if TYPE_CHECKING:
    from ..values.style import Part


class Following(Protocol):
    """How to go on after an answer that is not the last one."""

    async def run(self, exchange: Exchange, outgoing: Outgoing, answer: Answer) -> Answer:
        """Follow an operation to its last answer."""


@dataclass(frozen=True)
class Expected:
    """The answers that a request expects."""

    declared: str
    """The declared media types."""
    expect: tuple[str, ...]
    """The declared success statuses."""
    tell: tuple[str, ...]
    """The headers that the agent is told."""
    poll: Following | None
    """Follows an operation that the API finishes later."""


class ApiClient:
    """The client of the API within one tool call."""

    def __init__(
        self,
        backend: Backend,
        tool: str = "",
        report: Report | None = None,
        caller: Mapping[str, str] | None = None,
    ) -> None:
        """`caller` holds the headers of the request over HTTP that is being answered."""
        self._backend = backend
        self._tool = tool
        self.report = report
        """Tells the client how far the call is."""
        self._caller = caller

    def telling(self, report: Report) -> ApiClient:
        """The same client with another way to tell how far the call is."""
        return ApiClient(self._backend, self._tool, report, self._caller)

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
        media_type: str | Unset | Callable[[], str] | None = None,
        encoding: Mapping[str, Part] | None = None,
        accept: str = "application/json",
        declared: str = "",
        expect: Sequence[str] = ("200",),
        tell: Sequence[str] = (),
        security: Sequence[Requirement] | None = None,
        servers: Sequence[ServerUrl] | None = None,
        poll: Following | None = None,
    ) -> Response[Any]:
        """Send one request and return the API's answer.

        `path`, `query`, `header` and `cookie` hold values by the API's own names, `querystring` is
        the whole query. At most one body may be given: `body` is written as its `media_type`, or
        what that returns, says, and `encoding` says how the members of a form are. `accept` holds
        the media types that are asked for, `declared` further ones of the document, `expect` its
        success statuses; another success is returned with a misfit. `tell` names headers of the
        answer that the agent is told. `security` and `servers` are the operation's own, None where
        it has none. `poll` follows an operation that the API finishes later.

        Raises:
            ArgumentError: a value that cannot be sent; nothing was sent.
            ToolError: no server URL or no credential; nothing was sent.
            ApiError: the API refused, could not be reached, or gave no usable answer.
        """
        backend, limits = self._backend, self._backend.settings.limits
        bodies: dict[Kind, Any] = {"json": json, "form": form, "multipart": multipart}
        kind, value = _only({**bodies, "text": text, "binary": binary, "body": body})
        root = backend.settings.file_root
        size = LARGE if root and value is not UNSET else size_of(value)  # a file may be large

        def write() -> EncodedBody:
            named = media_type() if callable(media_type) else media_type
            return encode_body(kind, value, named or None, encoding, root, limits)

        encoded = await aside(size, write)
        base = base_url(backend.api, servers, backend.settings, os.environ)
        signing = sign(backend, base, security, self._tool, self._caller)
        queried = build_query(query, build_querystring(querystring, limits), limits)
        filled = build_path(template, path, limits)
        origin, target = urls.join(base, filled, queried, signing.credentials.query)
        check_target(target, limits)
        own = self._own_headers(accepting(accept, declared), encoded.content_type)
        groups = own, build_headers(header, limits), _cookie(cookie, signing, limits)
        headers = self._headers(signing, self._default_headers(header or ()), *groups)
        outgoing = Outgoing(
            method,
            origin,
            target,
            headers,
            encoded.content,
            certificate=signing.credentials.certificate,
            credentials=signing.credentials.query,
        )
        media = ", ".join(filter(None, (accept, declared)))
        expected = Expected(media, tuple(expect), tuple(tell), poll)
        return await self._observed(template, outgoing, signing, expected)

    def _own_headers(self, accept: str, content_type: str | None) -> list[tuple[str, str]]:
        """The headers that this client sends by itself."""
        own = [("Accept", accept), ("Content-Type", content_type or "")]
        if self._backend.settings.trace_upstream:
            own += trace_headers(self._caller)
        return own

    def _default_headers(self, declared: Iterable[str]) -> list[tuple[str, str]]:
        """Headers that are sent unless set otherwise; an Accept-Encoding is the caller's choice."""
        own = [("User-Agent", self._backend.user_agent)]
        if "accept-encoding" not in map(str.lower, declared):
            own.append(("Accept-Encoding", "gzip, deflate"))
        return own

    def _headers(
        self,
        signing: Signing,
        defaults: Iterable[tuple[str, str]],
        *groups: Iterable[tuple[str, str]],
    ) -> tuple[tuple[str, str], ...]:
        """The headers of a request; later groups win over earlier ones, credentials over all."""
        headers: dict[str, list[tuple[str, str]]] = {}
        extra = self._backend.settings.extra_headers if signing.allowed else ()
        for group in (defaults, extra, *groups, signing.credentials.headers):
            named: dict[str, list[tuple[str, str]]] = {}
            for name, value in group:
                if value or name not in ("Content-Type", "Cookie"):
                    named.setdefault(name.lower(), []).append((name, value))
            headers |= named
        return tuple(pair for pairs in headers.values() for pair in pairs)

    async def _observed(
        self, template: str, outgoing: Outgoing, signing: Signing, expected: Expected
    ) -> Response[Any]:
        """The answer, recorded for whoever observes the call."""
        observed = OBSERVED.get()
        if observed is None:
            return await self._answered(outgoing, signing, expected)
        with observed.request(outgoing.method, template, outgoing.origin.host) as noted:
            response = await self._answered(outgoing, signing, expected)
            noted.status, noted.size = response.status, len(response.content)
            return response

    async def _answered(
        self, outgoing: Outgoing, signing: Signing, expected: Expected
    ) -> Response[Any]:
        expect = expected.expect
        exchange = Exchange(self._backend, self._tool, self.report, signing, expect)
        answer = await exchange.run(outgoing)
        if expected.poll is not None:
            answer = await expected.poll.run(exchange, outgoing, answer)
            expect = (*expect, "default")
        size = len(answer.content)
        known = expect, expected.declared, expected.tell, self._backend.most
        read = partial(interpret, answer, *known)
        response = await aside(size, read, alone=True)
        await self._backend.hooks.after_response(response)
        response = await aside(size, partial(without_credentials, response, signing.secrets))
        if is_success(answer.status, expect):
            return response
        shape = self._backend.api.shapes.get(self._tool)
        if shape is not None:
            response = shape.of_error(response)
        hint = ""
        if answer.status in (401, 403) and signing.wanted and not signing.allowed:
            hint = (
                f"No credential was sent: {outgoing.origin.host} is not the API's own host. "
                f"{self._backend.api.env_prefix}_ALLOW_HOSTS names hosts that may receive it."
            )
        failure = partial(api_failure, answer, response, outgoing, hint, signing.secrets)
        raise await aside(size, failure)


def _cookie(
    cookie: Mapping[str, Any] | None, signing: Signing, limits: Limits
) -> list[tuple[str, str]]:
    pairs = [build_cookie(cookie, limits) or ""]
    pairs += [f"{name}={value}" for name, value in signing.credentials.cookies]
    return [("Cookie", "; ".join(filter(None, pairs)))]


def _only(bodies: Mapping[Kind, Any]) -> tuple[Kind, Any]:
    given = [(kind, value) for kind, value in bodies.items() if value is not UNSET]
    if len(given) > 1:
        raise TypeError(f"send takes one body, not {' and '.join(kind for kind, _ in given)}")
    return given[0] if given else ("json", UNSET)
