"""The server's settings: one frozen object, read from the environment at start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from . import setting_values
from .errors import ToolError
from .limits import DEFAULT_LIMITS, Limits

OWN = (
    "base_url",
    "extra_headers",
    "allow_hosts",
    "caller_auth",
    "caller_exchange",
    "exchange_token_url",
    "exchange_audience",
    "exchange_resource",
)
"""Settings of the first API that never hold for a further one."""

PER_API = (
    *OWN,
    "timeout",
    "connect_timeout",
    "read_timeout",
    "max_response_bytes",
    "max_values",
    "max_connections",
    "retries",
    "retry_wait",
    "ca_bundle",
    "proxy",
)
"""What can be set for each API of a server; the rest is the server's."""

OF_ISSUER = (
    "http_resource",
    "http_audience",
    "http_jwks_url",
    "http_scopes",
    "http_implied_scopes",
)
"""Settings about the tokens of `http_issuer`, which do nothing without it."""

_OF_CALLERS = (
    "http_token",
    "http_issuer",
    *OF_ISSUER,
    "calls_per_minute",
    "calls_per_minute_in_all",
    "calls_per_minute_by_tool",
    "calls_at_once",
    "calls_at_once_in_all",
    "audit",
)


class ConfigurationError(Exception):
    """A setting that cannot be used; the message names the variable, never its value."""


@dataclass(frozen=True)
class Settings:
    """What may be set from outside; each field is read from `<PREFIX>_<FIELD>` by `from_env`."""

    base_url: str | None = None
    """Replaces every server of the document."""
    timeout: float = 60.0
    """Seconds for a whole call, redirects and reading the answer included."""
    connect_timeout: float = 10.0
    """Seconds for a connection to come about."""
    read_timeout: float = 60.0
    """Seconds without a byte from the API."""
    max_response_bytes: int = 32 * 1024 * 1024
    """Bytes of an answer that are read, after decompression."""
    max_values: int = 1_000_000
    """Values of a JSON answer that is read as data; one with more is passed on as text, cut."""
    max_result_bytes: int = 1024 * 1024
    """Bytes of an answer that reach the agent: JSON text, text, or binary before base64."""
    max_path_value_bytes: int = DEFAULT_LIMITS.path_value
    """Bytes of one argument in the URL's path."""
    max_url_bytes: int = DEFAULT_LIMITS.url
    """Bytes of a URL's path and query."""
    max_header_bytes: int = DEFAULT_LIMITS.header
    """Bytes of one header, and of all cookies."""
    max_body_bytes: int = DEFAULT_LIMITS.body
    """Bytes of a request body made of arguments."""
    max_file_bytes: int = DEFAULT_LIMITS.file
    """Bytes of a file that a `file://` argument names."""
    max_connections: int = 100
    """Connections to the API at a time, and so calls of it; further ones wait."""
    retries: int = 2
    """How often an idempotent request is sent again after 429, 502, 503, 504 or no answer."""
    retry_wait: float = 10.0
    """Seconds that a call may wait for that in all, Retry-After included."""
    file_root: str | None = None
    """The folder that `file://` arguments may name."""
    extra_headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Sent with every request to the API's own hosts: lines `Name: value`, or a JSON object."""
    allow_hosts: tuple[str, ...] = ()
    """Further hosts (`host` or `host:port`, separated by commas) that may receive credentials."""
    ca_bundle: str | None = None
    """Path of certificates (PEM) that are trusted besides the system's, or `SSL_CERT_FILE`'s."""
    proxy: str | None = field(default=None, repr=False)
    """URL of a proxy; the proxy variables of the system are not read."""
    log_level: str = "WARNING"
    """What stderr gets: DEBUG, INFO, WARNING, ERROR or CRITICAL."""
    result_text: str = "full"
    """What stands beside structured content: the same as text, `full`, or a line, `summary`."""
    surface: str | None = None
    """How the tools are shown: `tools` (each) or `search`; unset: each."""
    page_size: int | None = None
    """Tools on a page of `tools/list`; unset: all on one."""
    tools_file: str | None = None
    """Path of a TOML file whose list `disabled` names tools that are off; it is watched."""
    state_keys: tuple[str, ...] = field(default=(), repr=False)
    """Secrets (32 characters or more, separated by commas; the first one seals) for the state of
    calls that ask the user: the same in every process that serves them. Unset: one of its own."""
    task_ttl: float = 3600.0
    """Seconds after which a task is forgotten, ended or not."""
    max_tasks: int = 2000
    """Tasks at a time, those that have ended and are not forgotten included."""
    caller_auth: tuple[tuple[str, str], ...] = ()
    """Over HTTP: lines `scheme: Header-Name`; each caller brings its own credential there."""
    caller_exchange: tuple[tuple[str, str], ...] = ()
    """Over HTTP: lines `scheme: Header-Name`; each caller's token there is exchanged (RFC 8693)."""
    exchange_token_url: str | None = None
    """Where tokens are exchanged, if not at the scheme's own token endpoint."""
    exchange_audience: str | None = None
    """The audience that an exchanged token is asked for."""
    exchange_resource: str | None = None
    """The resource, a URI, that an exchanged token is asked for."""
    public_hosts: tuple[str, ...] = ()
    """Over HTTP: names (`host` or `host:port`, separated by commas) by which clients reach it."""
    allow_origins: tuple[str, ...] = ()
    """Over HTTP: origins of web pages (`https://app.example.com`, ...) that may call it."""
    max_request_bytes: int = 8 * 1024 * 1024
    """Over HTTP: bytes of a request."""
    request_timeout: float = 60.0
    """With `--http`: seconds in which a request must have arrived whole."""
    shutdown_timeout: float = 25.0
    """Over HTTP: seconds for the calls in flight when the server is told to stop."""
    http_stateless: bool = False
    """Over HTTP: true gives older clients no session, so that any worker can answer them."""

    http_token: str | None = field(default=None, repr=False)
    """Over HTTP: the bearer token that every caller must bring."""
    http_issuer: str | None = None
    """Over HTTP: URL of the OAuth 2.0 authorization server whose tokens callers must bring."""
    http_resource: str | None = None
    """Over HTTP: the URL by which clients reach this server; tokens must be issued for it."""
    http_audience: str | None = None
    """Over HTTP: the audience of the tokens, where it is not that URL."""
    http_jwks_url: str | None = None
    """Over HTTP: where the issuer publishes its keys, where its metadata does not say so."""
    http_scopes: tuple[str, ...] = ()
    """Over HTTP: scopes (separated by blanks) that every caller must have."""
    http_implied_scopes: tuple[tuple[str, str], ...] = ()
    """Over HTTP: lines `broader: narrower narrower`; the one scope stands for the others too."""
    calls_per_minute: int | None = None
    """Calls a minute from one caller; further ones are told when to come back."""
    calls_per_minute_in_all: int | None = None
    """Calls a minute from all callers together."""
    calls_per_minute_by_tool: tuple[tuple[str, int], ...] = ()
    """Calls a minute of one tool from one caller, such as `search: 30, *: 60`; `*` is each tool
    that is not named."""
    calls_at_once: int | None = None
    """Calls of one caller at a time; further ones are refused."""
    calls_at_once_in_all: int | None = None
    """Calls of all callers at a time."""
    audit: str | None = None
    """Where a line of JSON is written for each call: `stderr`, or the path of a file."""
    audit_values: bool = False
    """true: the audit log holds the arguments' values, but no credential, and not only names."""
    trace_upstream: bool = False
    """true: the caller's trace context (W3C) is sent on to the API."""

    @property
    def is_guarded(self) -> bool:
        """Whether callers must sign in, are limited, or are recorded."""
        return any(getattr(self, name) for name in _OF_CALLERS)

    @property
    def callers_sign_in(self) -> bool:
        """Whether callers over HTTP must bring a token for this server."""
        return bool(self.http_token or self.http_issuer)

    @property
    def brought(self) -> tuple[tuple[str, str], ...]:
        """The schemes whose credentials callers over HTTP bring, each with its header."""
        return (*self.caller_auth, *self.caller_exchange)

    @property
    def caller_headers(self) -> tuple[str, ...]:
        """The headers, in lower case, that tell callers over HTTP apart."""
        return ("authorization", *(header.lower() for _, header in self.brought))

    @property
    def limits(self) -> Limits:
        """The caps on what one call sends."""
        return Limits(
            path_value=self.max_path_value_bytes,
            url=self.max_url_bytes,
            header=self.max_header_bytes,
            body=self.max_body_bytes,
            file=self.max_file_bytes,
        )

    @classmethod
    def from_env(
        cls, prefix: str, environ: Mapping[str, str], defaults: Settings | None = None
    ) -> Settings:
        """Read `<PREFIX>_<FIELD>` for each field; an empty variable counts as unset.

        What may hold a secret is read from the file that `<PREFIX>_<FIELD>_FILE` names, too.

        Raises:
            ConfigurationError: naming every value that cannot be used.
        """
        found: dict[str, Any] = {}
        problems = []
        for entry in fields(cls):
            variable = f"{prefix}_{entry.name.upper()}"
            try:
                if text := _text(environ, variable, not entry.repr):
                    found[entry.name] = setting_values.read(entry, text)
            except ValueError as problem:
                problems.append(f"{variable} {problem}")
            except ToolError as problem:
                problems.append(problem.message.removesuffix(" Nothing was sent."))
        if problems:
            raise ConfigurationError("; ".join(problems))
        return replace(defaults or cls(), **found)


def of_further(first: Settings, prefix: str, environ: Mapping[str, str]) -> Settings:
    """The settings of a further API: its own variables, else the server's.

    Raises:
        ConfigurationError: a value that cannot be used.
    """
    unset: dict[str, Any] = {
        entry.name: entry.default for entry in fields(first) if entry.name in OWN
    }
    read = Settings.from_env(prefix, environ, replace(first, **unset))
    return replace(first, **{name: getattr(read, name) for name in PER_API})


def _text(environ: Mapping[str, str], variable: str, secret: bool) -> str:
    if not secret:
        return environ.get(variable, "").strip()
    from .env_files import EnvironmentWithFiles

    found = EnvironmentWithFiles(environ).get(variable, "").strip()
    if not found and environ.get(f"{variable}_FILE"):
        raise ValueError(f"must be set: the file that {variable}_FILE names is empty")
    return found
