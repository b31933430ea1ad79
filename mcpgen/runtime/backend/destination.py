"""Where a call goes: the base URL of an operation, and who may receive credentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from ..values.errors import ToolError
from ..values.urls import Origin, beside, check_base_url, expand, is_path

if TYPE_CHECKING:
    from ..credentials.description import Api
    from ..values.settings import Settings
    from ..values.urls import ServerUrl


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
