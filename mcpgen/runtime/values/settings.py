"""The server's settings: one frozen object, read from the environment at start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import partial
from typing import Any

from . import environment as read
from .arguments import DEFAULT_LIMITS, Limits
from .errors import ToolError
from .urls import check_base_url


class Group(Enum):
    """Who has a setting; the rest are the server's."""

    OWN = "one API alone: what is set for the first never holds for a further one"
    API = "each API, with the server's as its default"
    CALLERS = "callers, who then sign in, are limited or are recorded"
    ISSUER = "the tokens of `http_issuer`: without it they do nothing"


class ConfigurationError(Exception):
    """A setting that cannot be used; the message names the variable, never its value."""


def setting(
    default: object,
    reader: Callable[[str], object],
    group: Group | None = None,
    *,
    secret: bool = False,
) -> Any:
    """A field of `Settings`; one that may hold a secret has no `repr`."""
    metadata = {"reader": reader, "group": group}
    return field(default=default, repr=not secret, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """What may be set from outside; each field is read from `<PREFIX>_<FIELD>` by `from_env`."""

    base_url: str | None = setting(None, check_base_url, Group.OWN)
    """Replaces every server of the document."""
    timeout: float = setting(60.0, read.seconds, Group.API)
    """Seconds for a whole call, redirects and reading the answer included."""
    connect_timeout: float = setting(10.0, read.seconds, Group.API)
    """Seconds for a connection to come about."""
    read_timeout: float = setting(60.0, read.seconds, Group.API)
    """Seconds without a byte from the API."""
    max_response_bytes: int = setting(32 * 1024 * 1024, read.whole, Group.API)
    """Bytes of an answer that are read, after decompression."""
    max_values: int = setting(1_000_000, read.whole, Group.API)
    """Values of a JSON answer that is read as data; one with more is passed on as text, cut."""
    max_result_bytes: int = setting(1024 * 1024, read.whole)
    """Bytes of an answer that reach the agent: JSON text, text, or binary before base64."""
    max_path_value_bytes: int = setting(DEFAULT_LIMITS.path_value, read.whole)
    """Bytes of one argument in the URL's path."""
    max_url_bytes: int = setting(DEFAULT_LIMITS.url, read.whole)
    """Bytes of a URL's path and query."""
    max_header_bytes: int = setting(DEFAULT_LIMITS.header, read.whole)
    """Bytes of one header, and of all cookies."""
    max_body_bytes: int = setting(DEFAULT_LIMITS.body, read.whole)
    """Bytes of a request body made of arguments."""
    max_file_bytes: int = setting(DEFAULT_LIMITS.file, read.whole)
    """Bytes of a file that a `file://` argument names."""
    max_connections: int = setting(100, read.whole, Group.API)
    """Connections to the API at a time, and so calls of it; further ones wait."""
    retries: int = setting(2, partial(read.whole, least=0), Group.API)
    """How often an idempotent request is sent again after 429, 502, 503, 504 or no answer."""
    retry_wait: float = setting(10.0, read.seconds, Group.API)
    """Seconds that a call may wait for that in all, Retry-After included."""
    file_root: str | None = setting(None, str)
    """The folder that `file://` arguments may name."""
    extra_headers: tuple[tuple[str, str], ...] = setting((), read.headers, Group.OWN, secret=True)
    """Sent with every request to the API's own hosts: lines `Name: value`, or a JSON object."""
    allow_hosts: tuple[str, ...] = setting((), read.hosts, Group.OWN)
    """Further hosts (`host` or `host:port`, separated by commas) that may receive credentials."""
    ca_bundle: str | None = setting(None, str, Group.API)
    """Path of certificates (PEM) that are trusted besides the system's, or `SSL_CERT_FILE`'s."""
    proxy: str | None = setting(None, read.proxy, Group.API, secret=True)
    """URL of a proxy; the proxy variables of the system are not read."""
    log_level: str = setting("WARNING", read.one_of(*read.LOG_LEVELS))
    """What stderr gets: DEBUG, INFO, WARNING, ERROR or CRITICAL."""
    log_format: str = setting("text", read.one_of(*read.LOG_FORMATS))
    """How stderr gets it: `text`, or `json`, an object on one line for each event."""
    result_text: str = setting("full", read.one_of(*read.RESULT_TEXTS))
    """What stands beside structured content: the same as text, `full`, or a line, `summary`."""
    surface: str | None = setting(None, read.one_of(*read.SURFACES))
    """How the tools are shown: `tools` (each) or `search`; unset: as generated."""
    page_size: int | None = setting(None, read.whole)
    """Tools on a page of `tools/list`; unset: all on one."""
    tools_file: str | None = setting(None, str)
    """Path of a TOML file whose list `disabled` names tools that are off; it is watched."""
    state_keys: tuple[str, ...] = setting((), read.secrets, secret=True)
    """Secrets (32 characters or more, separated by commas; the first one seals) for the state of
    calls that ask the user: the same in every process that serves them. Unset: one of its own."""
    task_ttl: float = setting(3600.0, read.seconds)
    """Seconds after which a task is forgotten, ended or not."""
    max_tasks: int = setting(2000, read.whole)
    """Tasks at a time, those that have ended and are not forgotten included."""
    caller_auth: tuple[tuple[str, str], ...] = setting((), read.caller_headers, Group.OWN)
    """Over HTTP: lines `scheme: Header-Name`; each caller brings its own credential there."""
    caller_exchange: tuple[tuple[str, str], ...] = setting((), read.caller_headers, Group.OWN)
    """Over HTTP: lines `scheme: Header-Name`; each caller's token there is exchanged (RFC 8693)."""
    exchange_token_url: str | None = setting(None, read.secure_url, Group.OWN)
    """Where tokens are exchanged, if not at the scheme's own token endpoint."""
    exchange_audience: str | None = setting(None, str, Group.OWN)
    """The audience that an exchanged token is asked for."""
    exchange_resource: str | None = setting(None, str, Group.OWN)
    """The resource, a URI, that an exchanged token is asked for."""
    public_hosts: tuple[str, ...] = setting((), read.hosts)
    """Over HTTP: names (`host` or `host:port`, separated by commas) by which clients reach it."""
    allow_origins: tuple[str, ...] = setting((), read.origins)
    """Over HTTP: origins of web pages (`https://app.example.com`, ...) that may call it."""
    max_request_bytes: int = setting(8 * 1024 * 1024, read.whole)
    """Over HTTP: bytes of a request."""
    request_timeout: float = setting(60.0, read.seconds)
    """With `--http`: seconds in which a request must have arrived whole."""
    shutdown_timeout: float = setting(25.0, read.seconds)
    """Over HTTP: seconds for the calls in flight when the server is told to stop."""
    http_stateless: bool = setting(False, read.flag)
    """Over HTTP: true gives older clients no session, so that any worker can answer them."""

    http_token: str | None = setting(None, read.token, Group.CALLERS, secret=True)
    """Over HTTP: the bearer token that every caller must bring."""
    http_tokens_file: str | None = setting(None, str, Group.CALLERS)
    """Over HTTP: path of a file with the tokens of callers by name; it is read again."""
    http_issuer: str | None = setting(None, read.secure_url, Group.CALLERS)
    """Over HTTP: URL of the OAuth 2.0 authorization server whose tokens callers must bring."""
    http_resource: str | None = setting(None, read.secure_url, Group.ISSUER)
    """Over HTTP: the URL by which clients reach this server; tokens must be issued for it."""
    http_audience: str | None = setting(None, str, Group.ISSUER)
    """Over HTTP: the audience of the tokens, where it is not that URL."""
    http_jwks_url: str | None = setting(None, read.secure_url, Group.ISSUER)
    """Over HTTP: where the issuer publishes its keys, where its metadata does not say so."""
    http_scopes: tuple[str, ...] = setting((), read.scopes, Group.ISSUER)
    """Over HTTP: scopes (separated by blanks) that every caller must have."""
    http_implied_scopes: tuple[tuple[str, str], ...] = setting((), read.implied, Group.ISSUER)
    """Over HTTP: lines `broader: narrower narrower`; the one scope stands for the others too."""
    http_anonymous: bool | None = setting(None, read.flag)
    """Over HTTP: true lets anybody call, also where the server is made for callers who sign in."""
    calls_per_minute: int | None = setting(None, read.whole, Group.CALLERS)
    """Calls a minute from one caller; further ones are told when to come back."""
    calls_per_minute_in_all: int | None = setting(None, read.whole, Group.CALLERS)
    """Calls a minute from all callers together."""
    calls_per_minute_by_tool: tuple[tuple[str, int], ...] = setting((), read.rates, Group.CALLERS)
    """Calls a minute of one tool from one caller, such as `search: 30, *: 60`; `*` is each tool
    that is not named."""
    calls_at_once: int | None = setting(None, read.whole, Group.CALLERS)
    """Calls of one caller at a time; further ones are refused."""
    calls_at_once_in_all: int | None = setting(None, read.whole, Group.CALLERS)
    """Calls of all callers at a time."""
    audit: str | None = setting(None, str, Group.CALLERS)
    """Where a line of JSON is written for each call: `stderr`, or the path of a file."""
    metrics: str | None = setting(None, str, Group.CALLERS)
    """Over HTTP: where Prometheus is answered, such as `127.0.0.1:9100`."""
    audit_values: bool = setting(False, read.flag)
    """true: the audit log holds the arguments' values, but no credential, and not only names."""
    trace_upstream: bool = setting(False, read.flag)
    """true: the caller's trace context (W3C) is sent on to the API."""

    @property
    def is_guarded(self) -> bool:
        """Whether callers must sign in, are limited, or are recorded."""
        return any(getattr(self, name) for name in _OF_CALLERS)

    @property
    def callers_sign_in(self) -> bool:
        """Whether callers over HTTP must bring a token for this server."""
        return bool(self.http_token or self.http_tokens_file or self.http_issuer)

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
        """Read `<PREFIX>_<FIELD>` for each field; one that is empty or a placeholder is unset.

        What may hold a secret is read from the file that `<PREFIX>_<FIELD>_FILE` names, too.

        Raises:
            ConfigurationError: naming every value that cannot be used.
        """
        values: dict[str, Any] = {}
        problems = []
        for entry in fields(cls):
            variable = f"{prefix}_{entry.name.upper()}"
            for name in (variable, f"{variable}_FILE") if entry.name.startswith(_CLOSING) else ():
                if read.is_placeholder(environ.get(name, "")):
                    problems.append(f"{name} holds `${{...}}`, which was to be replaced")
            try:
                if text := _text(environ, variable, secret=not entry.repr):
                    values[entry.name] = entry.metadata["reader"](text)
            except ValueError as problem:
                problems.append(f"{variable} {problem}")
            except ToolError as problem:
                problems.append(problem.message.removesuffix(" Nothing was sent."))
        if problems:
            raise ConfigurationError("; ".join(problems))
        return replace(defaults or cls(), **values)


def names_of(*groups: Group) -> tuple[str, ...]:
    """The settings of some groups."""
    return tuple(each.name for each in fields(Settings) if each.metadata["group"] in groups)


OWN = names_of(Group.OWN)
PER_API = names_of(Group.OWN, Group.API)
OF_ISSUER = names_of(Group.ISSUER)
_OF_CALLERS = names_of(Group.CALLERS, Group.ISSUER)
_CLOSING = ("tools_file", "caller_", "exchange_", *_OF_CALLERS)
"""How settings begin that close, limit or watch: a placeholder in one must not count as unset."""


def of_further(
    first: Settings, prefix: str, environ: Mapping[str, str], defaults: Mapping[str, Any]
) -> Settings:
    """The settings of a further API: its own variables, else its `defaults`, else the server's.

    Raises:
        ConfigurationError: a value that cannot be used.
    """
    unset: dict[str, Any] = {each.name: each.default for each in fields(first) if each.name in OWN}
    own = Settings.from_env(prefix, environ, replace(first, **{**unset, **defaults}))
    return replace(first, **{name: getattr(own, name) for name in PER_API})


def _text(environ: Mapping[str, str], variable: str, *, secret: bool) -> str:
    if not secret:
        return read.actual(environ.get(variable, "")).strip()
    text = read.EnvironmentWithFiles(environ).get(variable, "").strip()
    if not text and environ.get(f"{variable}_FILE"):
        raise ValueError(f"must be set: the file that {variable}_FILE names is empty")
    return text
