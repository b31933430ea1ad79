"""The parts of URLs: servers with variables, origins, and joining a base with a path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from .errors import ToolError

WELL_KNOWN = "/.well-known/openid-configuration"
"""Where an OpenID provider's metadata is, behind its issuer's URL (Discovery 4)."""
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_PATH = re.compile("/(?!/)")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Variable:
    """A `{variable}` of a server URL; the environment variable `env` overrides its default.

    Without a default it must be set.
    """

    default: str | None = None
    enum: Sequence[str] = ()
    env: str | None = None


@dataclass(frozen=True)
class ServerUrl:
    """One server of the API; `url` may hold `{variables}`."""

    url: str
    variables: Mapping[str, Variable] = field(default_factory=dict)


class Origin(NamedTuple):
    """Scheme, host and port of a URL (RFC 6454)."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> Origin:
        """The origin of an absolute http or https URL."""
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        return cls(scheme, parts.hostname or "", parts.port or _DEFAULT_PORTS.get(scheme, 0))


def is_path(url: str) -> bool:
    """Whether a server's URL is a path alone, so that its document does not say at which host."""
    return _PATH.match(url) is not None


def beside(base: str, path: str, own: str) -> str:
    """The URL of an operation's own server `own`, a path alone, where the API is at `base`.

    `path` is what the document knows of `base`, or a URL with it: what comes before it is kept.
    """
    known, parts = urlsplit(path).path.rstrip("/"), urlsplit(base)
    root = f"{parts.scheme}://{parts.netloc}"
    return (base.removesuffix(known) if base.endswith(known) else root) + own.rstrip("/")


def expand(server: ServerUrl, environ: Mapping[str, str]) -> str:
    """Put values into the `{variables}` of a server URL.

    Raises:
        ToolError: a value that the variable's enum does not allow, an undeclared variable, or one
            that has no default and is not set.
    """

    def value(match: re.Match[str]) -> str:
        variable = server.variables.get(match[1])
        if variable is None:
            raise ToolError(
                f"The API's server URL has a variable {{{match[1]}}}, which its document does not "
                "declare."
            )
        given = (environ.get(variable.env) or "").strip() if variable.env else ""
        if given and variable.enum and given not in variable.enum:
            raise ToolError(
                f"The environment variable {variable.env} must be one of "
                f"{', '.join(variable.enum)}."
            )
        if given and any(ord(char) <= 0x20 or char in '@?#\\"<>' for char in given):
            raise ToolError(
                f"The environment variable {variable.env} holds characters that no URL may hold."
            )
        if not given and variable.default is None:
            raise ToolError(
                f"The API's server URL needs {match[1]}. Set the environment variable "
                f"{variable.env} for this server and restart it."
            )
        return given or variable.default or ""

    return _VARIABLE.sub(value, server.url)


def pairs(extra: Iterable[tuple[str, str]]) -> str:
    """Credentials as they are in a query."""
    return "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in extra)


def join(
    base: str, path: str, query: str, extra: Sequence[tuple[str, str]] = ()
) -> tuple[str, str]:
    """Return (scheme and authority, request target) of a call.

    `path` is already encoded; the document's base path is kept, and `path` may carry a fixed query.
    """
    parts = urlsplit(base)
    path, _, fixed = path.partition("?")
    if path and not path.startswith("/"):
        path = f"/{path}"
    target = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~") + path or "/"
    full_query = "&".join(filter(None, (fixed, query, pairs(extra))))
    return f"{parts.scheme}://{parts.netloc}", f"{target}?{full_query}" if full_query else target
