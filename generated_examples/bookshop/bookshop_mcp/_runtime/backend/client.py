"""The HTTP client for handlers: it turns arguments into a request, and the answer into data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from ..bodies.encoding import EncodedBody, Kind, encode_body
from ..credentials.api import Requirement
from ..values import urls
from ..values.arguments import UNSET, Unset
from ..values.environment import EnvironmentWithFiles
from ..values.media import accepting
from ..values.parameters import build_headers, build_path, build_query, check_target
from ..values.seams import WRITERS
from ..values.urls import ServerUrl
from .answer import Answer, ReadAs, interpret, is_success
from .exchange import Exchange
from .failures import api_failure
from .observing import OBSERVED, Observed, Report
from .outgoing import Outgoing
from .response import Response
from .session import Backend
from .signing import Signing, base_url, sign, without_credentials
from .threads import LARGE, aside, size_of

if TYPE_CHECKING:
    from ..values.style import Part


_MAX_REFUSAL_BYTES = 2_000
"""Bytes of a refusal in which a header that it may speak of is looked for."""


class Following(Protocol):
    """Waits for the result of an operation that the API finishes after its first answer."""

    async def run(self, exchange: Exchange, outgoing: Outgoing, answer: Answer) -> Answer:
        """Follow an operation until it has ended; returns its last answer."""


class ApiClient:
    """The client for the API within one tool call."""

    def __init__(
        self,
        backend: Backend,
        tool: str = "",
        report: Report | None = None,
        caller: Mapping[str, str] | None = None,
        who: Any = None,
    ) -> None:
        """`caller` holds the headers of the HTTP request that is being answered.

        `who` is the sender of that request, a `calls.caller.Caller`.
        """
        self._shared = backend
        self._backend = backend.of(tool)
        self._tool = tool
        self.report = report
        """Tells the client how far the call is."""
        self._caller = caller
        self._who = who

    def telling(self, report: Report) -> ApiClient:
        """A copy of this client that reports progress to `report`."""
        return ApiClient(self._shared, self._tool, report, self._caller, self._who)

    def of(self, tool: str) -> ApiClient:
        """The same client, but for calls of the tool `tool`."""
        return ApiClient(self._shared, tool, self.report, self._caller, self._who)

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
        kinds: Mapping[str, Kind] | None = None,
        encoding: Mapping[str, Part] | None = None,
        accept: str = "application/json",
        declared: str = "",
        read_as: ReadAs = "",
        expect: Sequence[str] = ("200",),
        tell: Sequence[str] = (),
        security: Sequence[Requirement] | None = None,
        servers: Sequence[ServerUrl] | None = None,
        poll: Following | None = None,
    ) -> Response[Any]:
        """Send one request and return the API's answer.

        `path`, `query`, `header` and `cookie` hold values keyed by the API's names; `querystring`
        is the whole query. At most one body may be given. A `body` is written in the format of its
        `media_type` (a media type, or a function that returns one), unless `kinds` names another
        format for that type; `encoding` describes the members of a form. `accept` has the media
        types to ask for, `declared` further ones of the document, and `read_as` the type of an
        answer whose media type is not specific. `expect` has the success statuses; any other
        success is returned too, and noted in `misfits`. `tell` names the answer's headers that
        agents see. `security` and `servers` are the operation's own, or None if it has none.
        `poll` follows an operation that the API finishes later.

        Raises:
            ArgumentError: a value that cannot be sent; nothing was sent.
            ToolError: no server URL or no credential; nothing was sent.
            ApiError: the API refused, could not be reached, or gave no usable answer.
            DryRun: the request would change something, and this server only shows it.
        """
        backend, limits = self._backend, self._backend.settings.limits
        bodies: dict[Kind, Any] = {"json": json, "form": form, "multipart": multipart}
        kind, value = _only({**bodies, "text": text, "binary": binary, "body": body})
        root = backend.settings.file_root
        size = LARGE if root and value is not UNSET else size_of(value)  # a file may be large

        def write() -> EncodedBody:
            content_type = media_type() if callable(media_type) else media_type
            how = (kinds or {}).get(str(content_type), kind)
            return encode_body(how, value, content_type or None, encoding, root, limits)

        encoded = await aside(size, write)
        base = base_url(backend.api, servers, backend.settings, os.environ)
        dry = backend.effects is not None and backend.effects.writes(self._tool, method, template)
        signing = self._signing(base, security, dry=dry)
        whole = ""
        if querystring is not UNSET:
            whole = WRITERS["querystring"](querystring, limits)
        queried = build_query(query, whole, limits)
        filled = build_path(template, path, limits)
        origin, target = urls.join(base, filled, queried, signing.credentials.query)
        check_target(target, limits)
        own = [
            ("Accept", accepting(accept, declared)),
            ("Content-Type", encoded.content_type or ""),
        ]
        outgoing = Outgoing(
            method,
            origin,
            target,
            self._headers(signing, own, header, cookie),
            encoded.content,
            certificate=signing.credentials.certificate,
            credentials=signing.credentials.query,
        )
        exchange = Exchange(backend, self._tool, self.report, signing, (*expect,))
        if dry:
            from .dry_run import shown

            raise await shown(exchange, outgoing)
        media = ", ".join(filter(None, (accept, declared)))
        read = partial(interpret, declared=media, tell=tell, most=backend.most, read_as=read_as)
        observed = OBSERVED.get() or Observed()
        with observed.request(method, template, outgoing.origin.host) as request:
            response = await self._answered(exchange, outgoing, read, poll)
            request.status, request.size = response.status, len(response.content)
            return response

    def _signing(self, base: str, security: Sequence[Requirement] | None, *, dry: bool) -> Signing:
        backend, caller = self._backend, self._caller
        environ: Mapping[str, str] = EnvironmentWithFiles(os.environ)
        if dry:
            from .dry_run import Marks

            environ, caller = Marks.of(backend, environ), Marks.of_caller(backend, caller)
        return sign(backend, base, security, self._tool, caller, environ, self._who)

    def _headers(
        self,
        signing: Signing,
        own: Iterable[tuple[str, str]],
        header: Mapping[str, Any] | None,
        cookie: Mapping[str, Any] | None,
    ) -> tuple[tuple[str, str], ...]:
        """The headers of a request; where sources set the same header, the later one wins, and
        credentials are the last source.
        """
        settings = self._backend.settings
        defaults = [("User-Agent", self._backend.user_agent)]
        if "accept-encoding" not in map(str.lower, header or ()):  # then it is the caller's choice
            defaults.append(("Accept-Encoding", "gzip, deflate"))
        extra = settings.extra_headers if signing.allowed else ()
        trace = (OBSERVED.get() or Observed()).upstream(self._caller)
        cookies = [f"{name}={value}" for name, value in signing.credentials.cookies]
        if cookie:
            cookies.insert(0, WRITERS["cookie"](cookie, settings.limits) or "")
        declared = [
            *build_headers(header, settings.limits),
            ("Cookie", "; ".join(filter(None, cookies))),
        ]
        headers: dict[str, list[tuple[str, str]]] = {}
        for group in (defaults, extra, own, trace, declared, signing.credentials.headers):
            by_name: dict[str, list[tuple[str, str]]] = {}
            for name, value in group:
                if value or name not in ("Content-Type", "Cookie"):
                    by_name.setdefault(name.lower(), []).append((name, value))
            headers |= by_name
        return tuple(pair for pairs in headers.values() for pair in pairs)

    async def _answered(
        self,
        exchange: Exchange,
        outgoing: Outgoing,
        read: Callable[..., Response[Any]],
        poll: Following | None,
    ) -> Response[Any]:
        backend, signing, expect = self._backend, exchange.signing, exchange.expect
        answer = await exchange.run(outgoing)
        if poll is not None:
            answer = await poll.run(exchange, outgoing, answer)
            expect = (*expect, "default")
        size = len(answer.content)
        response = await aside(size, partial(read, answer, expect), alone=True)
        await backend.hooks.call("after_response", response)
        response = await aside(size, partial(without_credentials, response, signing.secrets))
        if is_success(answer.status, expect):
            return response
        shape = backend.api.shapes.get(self._tool)
        if shape is not None:
            response = shape.of_error(response)
        signer = signing.credentials.signer
        hint = signer.advice(answer, outgoing) if signer is not None else ""
        if answer.status in (401, 403) and signing.wanted and not signing.allowed:
            hint = (
                f"No credential was sent: {outgoing.origin.host} is not the API's own host. "
                f"{backend.api.env_prefix}_ALLOW_HOSTS names hosts that may receive it."
            )
        elif (
            answer.status in (400, 428) and b"header" in answer.content[:_MAX_REFUSAL_BYTES].lower()
        ):
            name = f"{backend.api.env_prefix}_EXTRA_HEADERS"
            hint = f"Whoever runs this server can add a header to all calls: {name}."
        failure = partial(
            api_failure,
            answer,
            response,
            outgoing,
            hint,
            signing.secrets,
            of_caller=signing.credentials.of_caller,
        )
        raise await aside(size, failure)


def _only(bodies: Mapping[Kind, Any]) -> tuple[Kind, Any]:
    present = [(kind, value) for kind, value in bodies.items() if value is not UNSET]
    if len(present) > 1:
        raise TypeError(
            f"send accepts only one body, not {' and '.join(kind for kind, _ in present)}"
        )
    return present[0] if present else ("json", UNSET)
