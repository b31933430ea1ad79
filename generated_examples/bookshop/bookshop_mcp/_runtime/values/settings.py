"""The server's settings: one frozen object, read from the environment at start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import partial
from typing import Any, Self, TypeVar

from . import environment as read
from .arguments import DEFAULT_LIMITS, Limits
from .errors import ToolError
from .seams import SURFACES
from .urls import check_base_url

BYTES_PER_TOKEN = 4
"""About; the true count depends on the model."""
DECLARED = "anthropic/maxResultSizeChars"
"""Under this name, the `_meta` of a tool says how large its answers may be."""


GROUPS = "io.modelcontextprotocol/groups"
"""Under this name, the `_meta` of a tool has the slugs of its groups."""


class Group(Enum):
    """What a setting applies to, if not to the server as a whole."""

    OWN = "one API alone: what is set for the first never holds for a further one"
    API = "each API, with the server's as its default"
    REQUESTS = "the requests to any API"


class Closing(Enum):
    """Base for groups of settings that restrict, limit or monitor the calls of a server."""


class ConfigurationError(Exception):
    """A setting that cannot be used; the message names the variable, never its value."""


def setting(
    default: object,
    reader: Callable[[str], object],
    group: Enum | None = None,
    *,
    secret: bool = False,
    closing: bool = False,
) -> Any:
    """A field of `Settings`; a field that may contain a secret has no `repr`.

    `closing`: the setting restricts, limits or monitors, so a placeholder in it must not count as
    unset.
    """
    closing = closing or isinstance(group, Closing)
    metadata = {"reader": reader, "group": group, "closing": closing}
    return field(default=default, repr=not secret, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """The server's settings; `from_env` reads each field from `<PREFIX>_<FIELD>`."""

    base_url: str | None = setting(None, check_base_url, Group.OWN)
    """Replaces every server of the document."""
    timeout: float = setting(60.0, read.seconds, Group.API)
    """Seconds for a whole call, redirects and reading the answer included."""
    connect_timeout: float = setting(10.0, read.seconds, Group.API)
    """Seconds to connect."""
    read_timeout: float = setting(60.0, read.seconds, Group.API)
    """Seconds without a byte from the API."""
    max_response_bytes: int = setting(32 * 1024 * 1024, read.whole, Group.API)
    """Bytes of an answer that are read, after decompression."""
    max_values: int = setting(1_000_000, read.whole, Group.API)
    """Values of a JSON answer that is read as data; one with more is passed on as text, cut."""
    max_result_bytes: int = setting(950_000, read.whole)
    """Bytes of the message that has an answer: text and structured content, escapes and base64
    included. Claude Desktop takes 1,000,000."""
    result_tokens: int = setting(10_000, read.whole)
    """Tokens of an answer that a model reads, of about 4 bytes; the rest is cut, and a note says
    so. `result_tokens` in `[tools.NAME]` of `mcpgen.toml` gives a tool more."""
    max_path_value_bytes: int = setting(DEFAULT_LIMITS.path_value, read.whole, Group.REQUESTS)
    """Bytes of one argument in the URL's path."""
    max_url_bytes: int = setting(DEFAULT_LIMITS.url, read.whole, Group.REQUESTS)
    """Bytes of a URL's path and query."""
    max_header_bytes: int = setting(DEFAULT_LIMITS.header, read.whole, Group.REQUESTS)
    """Bytes of one header, and of all cookies."""
    max_body_bytes: int = setting(DEFAULT_LIMITS.body, read.whole, Group.REQUESTS)
    """Bytes of a request body made of arguments."""
    max_file_bytes: int = setting(DEFAULT_LIMITS.file, read.whole, Group.REQUESTS)
    """Bytes of a file that a `file://` argument names."""
    max_connections: int = setting(100, read.whole, Group.API)
    """Connections to the API at a time, and so calls of it; further ones wait."""
    retries: int = setting(2, partial(read.whole, least=0), Group.API)
    """How often an idempotent request is sent again after 429, 502, 503, 504 or no answer."""
    retry_wait: float = setting(10.0, read.seconds, Group.API)
    """Seconds that a call may wait for that in all, Retry-After included."""
    file_root: str | None = setting(None, str, Group.REQUESTS)
    """The folder that `file://` arguments may name."""
    extra_headers: tuple[tuple[str, str], ...] = setting((), read.headers, Group.OWN, secret=True)
    """Sent with every request to the API's own hosts: lines `Name: value`, or a JSON object."""
    allow_hosts: tuple[str, ...] = setting((), read.hosts, Group.OWN)
    """Further hosts (`host` or `host:port`, separated by commas) that may receive credentials."""
    ca_bundle: str | None = setting(None, str, Group.API)
    """Path of certificates (PEM) that are trusted besides the system's, or `SSL_CERT_FILE`'s."""
    proxy: str | None = setting(None, read.proxy, Group.API, secret=True)
    """URL of a proxy; the proxy variables of the system are not read."""
    shutdown_timeout: float = setting(25.0, read.seconds)
    """Seconds for the calls in flight when a server is told to stop, or stdin ends."""
    log_level: str = setting("WARNING", read.one_of(*read.LOG_LEVELS))
    """What stderr gets: DEBUG, INFO, WARNING, ERROR or CRITICAL."""
    log_format: str = setting("text", read.one_of(*read.LOG_FORMATS))
    """How stderr gets it: `text`, or `json`, an object on one line for each event."""
    result_text: str = setting("full", read.one_of(*read.RESULT_TEXTS))
    """What stands beside structured content: the same as text, `full`, or a line, `summary`."""
    surface: str | None = setting(None, read.one_of("tools", *SURFACES))
    """How the tools are shown: `tools` (each) or `search`; unset: as generated."""
    ignored_arguments: tuple[str, ...] = setting((), read.names)
    """Arguments that a host adds to calls (`toolCallId`, ...); tools that lack them do not see
    them."""
    page_size: int | None = setting(None, read.whole)
    """Tools on a page of `tools/list`; unset: all on one."""
    read_only: bool = setting(False, read.flag, closing=True)
    """Only tools that read, as their hints say, are there."""
    only_tools: tuple[str, ...] = setting((), read.patterns, closing=True)
    """Only these are there: groups, names of tools, globs of either, separated by commas; `!`
    before one takes it away."""
    dry_run: str | None = setting(None, read.one_of("writes"), closing=True)
    """`writes`: what would change something is shown as a request, and not sent."""

    @property
    def remark(self) -> str:
        """A remark for agents and operators on the server's settings; empty if there is none."""
        shows = "Dry run: nothing is changed. A call that would change something is answered with "
        return f"{shows}the request that it would send." if self.dry_run else ""

    @property
    def tells_scopes(self) -> bool:
        """Whether callers have scopes, which limit the tools that they may use."""
        return False

    @property
    def brought(self) -> tuple[tuple[str, str], ...]:
        """The schemes whose credentials callers send, each with its header."""
        return ()

    @property
    def of_callers(self) -> Mapping[str, str]:
        """Schemes whose credential depends on the HTTP caller, each with a note on its source."""
        return dict.fromkeys((name for name, _ in self.brought), "callers bring it")

    @property
    def caller_headers(self) -> tuple[str, ...]:
        """The headers that identify callers over HTTP, in lower case."""
        return ("authorization", *(header.lower() for _, header in self.brought))

    @property
    def limits(self) -> Limits:
        """The limits of the request that a tool call sends."""
        return Limits(
            path_value=self.max_path_value_bytes,
            url=self.max_url_bytes,
            header=self.max_header_bytes,
            body=self.max_body_bytes,
            file=self.max_file_bytes,
        )

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The settings as an object of this class, which may have more or fewer fields."""
        if type(settings) is cls:
            return settings
        there = {each.name for each in fields(settings)}
        names = (each.name for each in fields(cls) if each.name in there)
        return cls(**{name: getattr(settings, name) for name in names})

    @classmethod
    def from_env(
        cls, prefix: str, environ: Mapping[str, str], defaults: Settings | None = None
    ) -> Self:
        """Read `<PREFIX>_<FIELD>` for each field; an empty value or a placeholder counts as unset.

        A setting that may contain a secret can also be read from the file that
        `<PREFIX>_<FIELD>_FILE` names.

        Raises:
            ConfigurationError: naming every value that cannot be used.
        """
        values: dict[str, Any] = {}
        problems = []
        for entry in fields(cls):
            variable = f"{prefix}_{entry.name.upper()}"
            for name in (variable, f"{variable}_FILE") if entry.metadata["closing"] else ():
                if read.is_placeholder(environ.get(name, "")):
                    problems.append(f"{name} holds `${{...}}`, which was not replaced")
            try:
                if text := _text(environ, variable, secret=not entry.repr):
                    values[entry.name] = entry.metadata["reader"](text)
            except ValueError as problem:
                problems.append(f"{variable} {problem}")
            except ToolError as problem:
                problems.append(problem.message.removesuffix(" Nothing was sent."))
        if problems:
            raise ConfigurationError("; ".join(problems))
        return replace(cls.of(defaults or Settings()), **values)


def names_of(kind: type[Settings], *groups: Enum) -> tuple[str, ...]:
    """The names of the settings in the given groups."""
    return tuple(each.name for each in fields(kind) if each.metadata["group"] in groups)


S = TypeVar("S", bound=Settings)


def combined(kinds: Sequence[type[Settings]]) -> type[Settings]:
    """The settings class of a server, which combines the settings classes of its parts."""
    bases = {base for kind in kinds for base in kind.__mro__[1:]}
    own = tuple(kind for kind in kinds if kind not in bases)
    if len(own) < 2:
        return next(iter(own), Settings)
    return dataclass(frozen=True)(type("Settings", own, {}))


def of_further(first: S, prefix: str, environ: Mapping[str, str], defaults: Mapping[str, Any]) -> S:
    """The settings of a further API: from its own variables, else `defaults`, else the server's.

    Raises:
        ConfigurationError: a value that cannot be used.
    """
    kind = type(first)
    unset: dict[str, Any] = {name: getattr(kind, name) for name in names_of(kind, Group.OWN)}
    own = kind.from_env(prefix, environ, replace(first, **{**unset, **defaults}))
    per_api = names_of(kind, Group.OWN, Group.API)
    return replace(first, **{name: getattr(own, name) for name in per_api})


def _text(environ: Mapping[str, str], variable: str, *, secret: bool) -> str:
    if not secret:
        return read.actual(environ.get(variable, "")).strip()
    text = read.EnvironmentWithFiles(environ).get(variable, "").strip()
    if not text and environ.get(f"{variable}_FILE"):
        raise ValueError(f"must be set: the file of {variable}_FILE is empty")
    return text
