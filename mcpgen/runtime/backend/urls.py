"""Where a call goes: the base URL of an operation, its origin, and joining it with a path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

from ..errors import ToolError
from .url_checks import check_base_url

if TYPE_CHECKING:
    from ..description import Api, ServerUrl
    from ..settings import Settings

WELL_KNOWN = "/.well-known/openid-configuration"
"""Where an OpenID provider's metadata is, behind its issuer's URL (Discovery 4)."""
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_PATH = re.compile("/(?!/)")
_DEFAULT_PORTS = {"http": 80, "https": 443}


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


def base_url(
    api: Api, servers: Sequence[ServerUrl] | None, settings: Settings, environ: Mapping[str, str]
) -> str:
    """The URL that an operation's path is appended to, without a slash at its end.

    The setting wins over the operation's own servers, and those over the API's. An own server of
    a path alone is on the API's host.

    Raises:
        ToolError: there is no usable URL; the text names the variable to set.
    """
    replaced = (settings.base_url or "").rstrip("/")
    if not servers or not is_path(servers[0].url):
        return replaced or _url_of(servers or api.servers, api.env_prefix, environ)
    own = expand(servers[0], environ)
    base = replaced or _url_of(api.servers, api.env_prefix, environ)
    return beside(base, expand(api.servers[0], environ) if api.servers else "", own)


def _url_of(servers: Sequence[ServerUrl], env_prefix: str, environ: Mapping[str, str]) -> str:
    advice = f"Set {env_prefix}_BASE_URL."
    if not servers:
        raise ToolError(f"The API's document does not say where the API is. {advice}")
    url = expand(servers[0], environ)
    if is_path(url):
        where = "where the API is" if url == "/" else f"at which host {url} is"
        raise ToolError(
            f"The API's document does not say {where}. {advice} It is the whole "
            f"URL, such as https://api.example.com{url.rstrip('/')}."
        )
    try:
        return check_base_url(url)
    except ValueError as problem:
        raise ToolError(
            f"The server URL of the API's document cannot be used: it {problem}. {advice}"
        ) from None


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


def own_origins(api: Api, settings: Settings, environ: Mapping[str, str]) -> frozenset[Origin]:
    """The origins that may receive this API's credentials without being asked for by name."""
    if settings.base_url:
        return frozenset({Origin.of(settings.base_url)})
    found = set()
    for server in api.servers:
        try:
            found.add(Origin.of(check_base_url(expand(server, environ))))
        except (ToolError, ValueError):
            continue
    return frozenset(found)


def may_receive_credentials(origin: Origin, own: Set[Origin], settings: Settings) -> bool:
    """Whether a request to that origin may carry the API's credentials and extra headers.

    Only an origin of the document's top-level servers (or the base URL that was set) may, and hosts
    that `allow_hosts` names: an operation's own server on another host is the document's wish, not
    the person's.
    """
    if origin in own:
        return True
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    named = (origin.host, host, f"{host}:{origin.port}")
    return any(allowed in named for allowed in settings.allow_hosts)


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
