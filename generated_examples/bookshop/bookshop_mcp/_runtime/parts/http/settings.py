"""The settings of HTTP and of callers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...values import environment as read
from ...values.settings import Closing, Group, Settings, names_of, setting
from . import readers

if TYPE_CHECKING:
    from ...credentials.api import Api, Requirement
    from ...credentials.schemes import Credentials


class Who(Closing):
    """A group of settings that protect the server from its callers."""

    CALLERS = "callers, who then sign in, are limited or are recorded"
    ISSUER = "the tokens of `http_issuer`: without it they do nothing"


_bringing = partial(setting, group=Group.OWN, closing=True)
"""A setting of what callers bring along."""


@dataclass(frozen=True)
class SharedSettings(Settings):
    """The settings that all processes of one server share."""

    state_keys: tuple[str, ...] = setting((), readers.secrets, secret=True)
    """Secrets (32 characters or more, separated by commas; the first one seals) for the state of
    calls that ask the user, and for what is kept in a store: the same in every process that serves
    them. Unset: each process makes a secret for itself."""


@dataclass(frozen=True)
class HttpSettings(SharedSettings):
    """The settings of a server that can serve HTTP."""

    caller_auth: tuple[tuple[str, str], ...] = _bringing((), readers.caller_headers)
    """Over HTTP: lines `scheme: Header-Name`; each caller brings its own credential there."""
    caller_exchange: tuple[tuple[str, str], ...] = _bringing((), readers.caller_headers)
    """Over HTTP: lines `scheme: Header-Name`; each caller's token there is exchanged (RFC 8693)."""
    exchange_token_url: str | None = _bringing(None, readers.secure_url)
    """Where tokens are exchanged, if not at the scheme's own token endpoint."""
    exchange_audience: str | None = _bringing(None, str)
    """The audience that an exchanged token is asked for."""
    exchange_resource: str | None = _bringing(None, str)
    """The resource, a URI, that an exchanged token is asked for."""
    public_hosts: tuple[str, ...] = setting((), read.hosts)
    """Over HTTP: names (`host` or `host:port`, separated by commas) by which clients reach it."""
    allow_origins: tuple[str, ...] = setting((), readers.origins)
    """Over HTTP: origins of web pages (`https://app.example.com`, ...) that may call it; `*`, all,
    and `null` only where callers bring a token."""
    max_request_bytes: int = setting(8 * 1024 * 1024, read.whole)
    """Over HTTP: bytes of a request."""
    request_timeout: float = setting(60.0, read.seconds)
    """With `--http`: seconds in which a request must have arrived whole."""
    http_path: str = setting("/mcp", readers.endpoint)
    """Over HTTP: the path at which the protocol is spoken."""
    http_stateless: bool | None = setting(None, read.flag)
    """Over HTTP: true gives clients before 2026-07-28 no session, so that any worker can answer
    them; false gives them one. Unset: they have one where the server needs it."""
    http_session_timeout: float = setting(1800.0, readers.seconds_or_never)
    """Over HTTP: seconds without a request after which such a session ends; 0: never."""
    http_max_sessions: int = setting(10_000, read.whole)
    """Over HTTP: such sessions at a time, of some 40 kB each."""
    http_json: bool = setting(False, read.flag)
    """Over HTTP: true answers clients before 2026-07-28 in plain JSON, without progress, log lines
    and questions to the user."""
    http_token: str | None = setting(None, readers.token, Who.CALLERS, secret=True)
    """Over HTTP: the bearer token that every caller must bring."""
    http_issuer: str | None = setting(None, readers.secure_url, Who.CALLERS)
    """Over HTTP: URL of the OAuth 2.0 authorization server whose tokens callers must bring."""
    http_resource: str | None = setting(None, readers.secure_url, Who.ISSUER)
    """Over HTTP: the URL by which clients reach this server; tokens must be issued for it."""
    http_audience: str | None = setting(None, str, Who.ISSUER)
    """Over HTTP: the audience of the tokens, where it is not that URL."""
    http_jwks_url: str | None = setting(None, readers.secure_url, Who.ISSUER)
    """Over HTTP: where the issuer publishes its keys, where its metadata does not say so."""
    http_scopes: tuple[str, ...] = setting((), readers.scopes, Who.ISSUER)
    """Over HTTP: scopes (separated by blanks) that every caller must have."""
    http_implied_scopes: tuple[tuple[str, str], ...] = setting((), readers.implied, Who.ISSUER)
    """Over HTTP: lines `broader: narrower narrower`; the one scope stands for the others too."""
    http_anonymous: bool | None = setting(None, read.flag)
    """Over HTTP: true lets anybody call, also where the server is made for callers who sign in."""
    calls_per_minute: int | None = setting(None, read.whole, Who.CALLERS)
    """Calls a minute from one caller; further ones are told when to come back."""
    calls_per_minute_in_all: int | None = setting(None, read.whole, Who.CALLERS)
    """Calls a minute from all callers together."""
    calls_per_minute_by_tool: tuple[tuple[str, int], ...] = setting((), readers.rates, Who.CALLERS)
    """Calls a minute of one tool from one caller, such as `search: 30, *: 60`; `*` is each tool
    that is not named."""
    calls_at_once: int | None = setting(None, read.whole, Who.CALLERS)
    """Calls of one caller at a time; further ones are refused."""
    calls_at_once_in_all: int | None = setting(None, read.whole, Who.CALLERS)
    """Calls of all callers at a time."""
    audit: str | None = setting(None, str, Who.CALLERS)
    """Where a line of JSON is written for each call: `stderr`, or the path of a file."""
    audit_values: bool = setting(False, read.flag, closing=True)
    """true: the audit log holds the arguments' values, but no credential, and not only names."""
    trace_upstream: bool = setting(False, read.flag, Group.REQUESTS)
    """true: the caller's trace context (W3C) is sent on to the API."""

    @property
    def is_guarded(self) -> bool:
        """Whether any setting about callers is set, such as sign-in, a limit or the audit log."""
        names = (*names_of(type(self), *Who), "trace_upstream")
        return any(getattr(self, name) for name in names)

    @property
    def tells_scopes(self) -> bool:
        """Whether callers have scopes: from an issuer, or from a file of tokens."""
        return bool(self.http_issuer or getattr(self, "http_tokens_file", None))

    @property
    def ways(self) -> tuple[str, ...]:
        """This server's settings for callers' sign-in; at most one of them may be set."""
        every = ("http_token", "http_tokens_file", "http_issuer")
        return tuple(name for name in every if hasattr(self, name))

    @property
    def authorization_server(self) -> str | None:
        """The issuer of callers' tokens; None if the operator hands them out."""
        return self.http_issuer

    @property
    def callers_sign_in(self) -> bool:
        """Whether callers over HTTP must bring a token for this server."""
        return bool(self.http_token) or self.tells_scopes

    @property
    def brought(self) -> tuple[tuple[str, str], ...]:
        """The schemes whose credentials callers bring over HTTP, each with its header."""
        return (*self.caller_auth, *self.caller_exchange)

    def credentials_of(
        self,
        api: Api,
        security: Sequence[Requirement] | None,
        environ: Mapping[str, str],
        headers: Mapping[str, str],
        who: Any,
    ) -> Credentials:
        """The credentials of a call whose HTTP request had these headers and this caller.

        Raises ToolError.
        """
        from .callers import choose_of_caller

        return choose_of_caller(api, security, self, environ, headers)


@dataclass(frozen=True)
class TokenSettings(Settings):
    """The settings of a server that can give each caller a token with a name."""

    http_tokens_file: str | None = setting(None, str, Who.CALLERS)
    """Over HTTP: path of a file with the tokens of callers by name; it is read again."""


@dataclass(frozen=True)
class MetricsSettings(Settings):
    """The settings of a server that may count calls for Prometheus."""

    metrics: str | None = setting(None, str, Who.CALLERS)
    """Over HTTP: where Prometheus is answered, such as `127.0.0.1:9100`."""


OF_ISSUER = names_of(HttpSettings, Who.ISSUER)
