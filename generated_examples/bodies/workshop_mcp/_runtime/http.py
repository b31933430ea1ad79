"""The HTTP client that handlers call: arguments become a request, its answer becomes data."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from . import auth, urls
from .answer import Answer, interpret, is_success
from .bodies import Kind, encode_body
from .context import Response
from .description import Requirement, ServerUrl
from .env_files import EnvironmentWithFiles
from .errors import ToolError
from .exchange import Backend, Exchange, Signing
from .failures import api_failure
from .limits import Limits
from .masking import credential_texts, without_credentials
from .observing import OBSERVED
from .outgoing import Outgoing
from .parameters import (
    build_cookie,
    build_headers,
    build_path,
    build_query,
    build_querystring,
    check_target,
)
from .progress import Report
from .unset import UNSET, Unset

if TYPE_CHECKING:
    from .style import Part

logger = logging.getLogger(__name__)


class Following(Protocol):
    """Where an answer is not the last one, what leads to that."""

    async def run(self, exchange: Exchange, outgoing: Outgoing, answer: Answer) -> Answer:
        """The last answer."""


class ApiClient:
    """The API's client in one tool call."""

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
        media_type: str | Unset | None = None,
        encoding: Mapping[str, Part] | None = None,
        accept: str = "application/json",
        expect: Sequence[str] = ("200",),
        security: Sequence[Requirement] | None = None,
        servers: Sequence[ServerUrl] | None = None,
        poll: Following | None = None,
    ) -> Response[Any]:
        """Send one request and return the API's answer.

        At most one body may be given. `expect` holds the declared success statuses; another success
        is returned with a misfit. `poll` follows an operation that the API finishes later.

        Raises:
            ArgumentError: a value that cannot be sent; nothing was sent.
            ToolError: no server URL or no credential; nothing was sent.
            ApiError: the API refused, could not be reached, or gave no usable answer.
        """
        settings, limits = self._backend.settings, self._backend.settings.limits
        bodies: dict[Kind, Any] = {"json": json, "form": form, "multipart": multipart}
        kind, value = _only({**bodies, "text": text, "binary": binary, "body": body})
        encoded = encode_body(kind, value, media_type or None, encoding, settings.file_root, limits)
        base = urls.base_url(self._backend.api, servers, settings, os.environ)
        signing = self._signing(base, security)
        queried = build_query(query, build_querystring(querystring, limits), limits)
        filled = build_path(template, path, limits)
        root, target = urls.join(base, filled, queried, signing.credentials.query)
        check_target(target, limits)
        typed = [("Accept", accept), ("Content-Type", encoded.content_type or "")]
        if settings.trace_upstream:
            from .telemetry import trace_headers

            typed += trace_headers(self._caller)
        headers = self._headers(
            signing, typed, build_headers(header, limits), _cookie(cookie, signing, limits)
        )
        certificate = signing.credentials.certificate
        outgoing = Outgoing(method, root, target, headers, encoded.content, certificate)
        observed = OBSERVED.get()
        if observed is None:
            return await self._answered(outgoing, signing, tuple(expect), accept, poll)
        with observed.request(method, template, outgoing.origin.host) as noted:
            response = await self._answered(outgoing, signing, tuple(expect), accept, poll)
            noted.status, noted.size = response.status, len(response.content)
            return response

    def _signing(self, base: str, security: Sequence[Requirement] | None) -> Signing:
        backend = self._backend
        origin = urls.Origin.of(base)
        own = urls.own_origins(backend.api, backend.settings, os.environ) or {origin}
        wanted = bool(backend.api.security if security is None else security)
        if backend.mock:
            return Signing(auth.ANONYMOUS, True, False)
        if urls.may_receive_credentials(origin, own, backend.settings):
            signing = self._signed(security, wanted)
            signing.issued.extend(credential_texts(backend.settings.extra_headers, named=True))
            return signing
        if wanted:
            logger.warning(
                "%s: no credential is sent to %s; name it in %s_ALLOW_HOSTS to send it",
                self._tool,
                origin.host,
                backend.api.env_prefix,
            )
        return Signing(auth.ANONYMOUS, False, wanted)

    def _signed(self, security: Sequence[Requirement] | None, wanted: bool) -> Signing:
        api, settings, caller = self._backend.api, self._backend.settings, self._caller
        environ = EnvironmentWithFiles(os.environ)
        try:
            if caller is None or not settings.callers_bring_credentials:
                return Signing(auth.choose(api, security, environ), True, wanted)
            from . import callers

            found = callers.choose(api, security, settings, environ, caller)
            return Signing(found, True, wanted)
        except ToolError as missing:
            return Signing(auth.ANONYMOUS, True, wanted, missing)

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

    async def _answered(
        self,
        outgoing: Outgoing,
        signing: Signing,
        expect: tuple[str, ...],
        accept: str,
        poll: Following | None,
    ) -> Response[Any]:
        exchange = Exchange(self._backend, self._tool, self.report, signing, expect)
        answer = await exchange.run(outgoing)
        if poll is not None:
            answer, expect = await poll.run(exchange, outgoing, answer), (*expect, "2XX")
        response = interpret(answer, expect, accept)
        await self._backend.hooks.after_response(response)
        response = without_credentials(response, signing.secrets)
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
        raise api_failure(answer, response, hint, signing.secrets)


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
