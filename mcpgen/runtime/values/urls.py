"""URLs: servers with variables, origins, base URL and path, and which URLs may receive secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, quote, urlsplit

from .errors import ToolError

WELL_KNOWN = "/.well-known/openid-configuration"
"""Where an OpenID provider's metadata is, behind its issuer's URL (Discovery 4)."""
_PATH = re.compile("/(?!/)")
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_NOT_IPV4 = re.compile(r"(?![0-9]+(\.[0-9]+){3}$)[^:]*")
"""What no HTTP client takes for an IP address."""
DEFAULT_PORTS = {"http": 80, "https": 443}
_UPWARDS = ("http", 80, "https", 443)


class Variable(Protocol):
    """A `{variable}` of a server's URL; `parts.servers.Variable` implements it."""

    @property
    def env(self) -> str | None:
        """The environment variable that overrides the default of the server variable."""
        ...

    def value(self, name: str, environ: Mapping[str, str]) -> str:
        """The value of the server variable; raises ToolError if there is no usable value."""
        ...


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
        return cls(scheme, parts.hostname or "", parts.port or DEFAULT_PORTS.get(scheme, 0))

    def leads_to(self, other: Origin) -> bool:
        """Whether data for this origin may go to `other`: the same origin, or its https variant."""
        is_upwards = (self.scheme, self.port, other.scheme, other.port) == _UPWARDS
        return other == self or (is_upwards and other.host == self.host)


def is_path(url: str) -> bool:
    """Whether a server's URL is only a path, without a host."""
    return _PATH.match(url) is not None


def beside(base: str, path: str, own: str) -> str:
    """The URL of an operation's own server `own`, which is only a path, on the host of `base`.

    `path` is the path of the API's base URL in the document, or a URL with that path. If `base`
    ends with that path, only that part is replaced, and a prefix before it stays.
    """
    base_path, parts = urlsplit(path).path.rstrip("/"), urlsplit(base)
    root = f"{parts.scheme}://{parts.netloc}"
    return (base.removesuffix(base_path) if base.endswith(base_path) else root) + own.rstrip("/")


def expand(server: ServerUrl, environ: Mapping[str, str]) -> str:
    """The URL of a server, with values in place of its `{variables}`.

    Raises:
        ToolError: a value that cannot be used, or one that is missing.
    """

    def value(match: re.Match[str]) -> str:
        variable = server.variables.get(match[1])
        if variable is None:
            raise ToolError(
                f"The API's server URL has a variable {{{match[1]}}}, which its document does not "
                "declare."
            )
        return variable.value(match[1], environ)

    return _VARIABLE.sub(value, server.url)


def pairs(extra: Iterable[tuple[str, str]]) -> str:
    """Credentials as a query: `name=value`, percent-encoded and joined by `&`."""
    return "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in extra)


def join(
    base: str, path: str, query: str, extra: Sequence[tuple[str, str]] = ()
) -> tuple[str, str]:
    """The parts of a call's URL: scheme with authority, and request target.

    `path` is already encoded and may carry a fixed query; the path of `base` is kept.
    """
    parts = urlsplit(base)
    path, _, fixed = path.partition("?")
    if path and not path.startswith("/"):
        path = f"/{path}"
    target = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~") + path or "/"
    full_query = "&".join(filter(None, (fixed, query, pairs(extra))))
    return f"{parts.scheme}://{parts.netloc}", f"{target}?{full_query}" if full_query else target


def check_base_url(text: str) -> str:
    """Return the URL without a trailing slash; raises ValueError with a text on what it must be."""
    parts = parsed(text)
    if parts is None or parts.scheme not in DEFAULT_PORTS:
        raise ValueError("must be an absolute http or https URL such as https://api.example.com/v1")
    if "@" in parts.netloc:
        raise ValueError("must not hold a user name or password")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise ValueError("must not hold a query or fragment")
    if not text.isprintable() or " " in text:
        raise ValueError("must not hold blanks or control characters")
    return text.rstrip("/")


def parsed(url: str) -> SplitResult | None:
    """The parts of a URL; None if its host (a name or an IP address) or its port is impossible."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        is_good = host and parts.port != 0 and (_NOT_IPV4.fullmatch(host) or ip_address(host))
    except ValueError:
        return None
    return parts if is_good else None


def is_secure(url: str) -> bool:
    """Whether a URL may receive secrets: it uses https or is local, and it is not a template."""
    parts = parsed(url)
    if parts is None or "@" in parts.netloc or re.search(r"[^!-z|~]", url):
        return False
    host = parts.hostname or ""
    is_local = host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){3}", host)
    return parts.scheme == "https" or (parts.scheme == "http" and bool(is_local))
