"""Signing a request: the URL it goes to, the credentials it may carry, and the texts to mask."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..credentials.api import Api, Requirement
from ..credentials.auth import ANONYMOUS, choose
from ..credentials.schemes import Credentials
from ..values.display import Mask
from ..values.errors import ToolError
from ..values.urls import Origin, ServerUrl, beside, check_base_url, expand, is_path
from .response import Response

if TYPE_CHECKING:
    from ..values.settings import Settings
    from .session import Backend

logger = logging.getLogger(__name__)

_NAMES = re.compile(r"auth|cookie|credential|key|passw|secret|token", re.IGNORECASE)


def base_url(
    api: Api, servers: Sequence[ServerUrl] | None, settings: Settings, environ: Mapping[str, str]
) -> str:
    """The URL that an operation's path is appended to, without a slash at its end.

    The setting wins over the operation's own servers, and these win over the API's servers. If an
    operation's own server is only a path, it is on the API's host.

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
    url = expand(servers[0], environ) if servers else "/"
    if is_path(url):
        where = "where the API is" if url == "/" else f"at which host {url} is"
        raise ToolError(
            f"The API's document does not say {where}. {advice} Write the whole "
            f"URL, such as https://api.example.com{url.rstrip('/')}."
        )
    try:
        return check_base_url(url)
    except ValueError as problem:
        raise ToolError(
            f"The server URL of the API's document cannot be used: it {problem}. {advice}"
        ) from None


def own_origins(api: Api, settings: Settings, environ: Mapping[str, str]) -> frozenset[Origin]:
    """The origins that may receive this API's credentials even if `allow_hosts` does not
    name them.
    """
    if settings.base_url:
        return frozenset({Origin.of(settings.base_url)})
    origins = set()
    for server in api.servers:
        try:
            origins.add(Origin.of(check_base_url(expand(server, environ))))
        except (ToolError, ValueError):
            continue
    return frozenset(origins)


def may_receive_credentials(origin: Origin, own: Set[Origin], settings: Settings) -> bool:
    """Whether a request to this origin may carry the API's credentials and extra headers.

    Allowed are the origins of the document's top-level servers (or the base URL that was set), and
    the hosts that `allow_hosts` names. An operation's own server on another host is not allowed,
    since only the document names it, and no person has confirmed it.
    """
    if origin in own:
        return True
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    names = {origin.host, host, f"{host}:{origin.port}"}
    return not names.isdisjoint(settings.allow_hosts)


@dataclass(frozen=True, kw_only=True)
class Signing:
    """The credentials that a request may carry, and the secrets to mask when it fails."""

    credentials: Credentials = ANONYMOUS
    allowed: bool = True
    """False: the host is none that may receive credentials."""
    wanted: bool = False
    """The operation asks for a credential."""
    hooked: bool = False
    """The author's hook is asked to sign the request."""
    missing: ToolError | None = None
    """Raised unless a hook signs the request."""
    who: Any = None
    """The sender of the request over HTTP that is being answered: a `calls.caller.Caller`."""
    issued: list[str] = field(default_factory=list, repr=False)
    """Further credentials: access tokens, and what a hook or a setting adds."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """All secrets, which must not be shown to anyone."""
        return (*self.credentials.secrets, *self.issued)


def sign(
    backend: Backend,
    base: str,
    security: Sequence[Requirement] | None,
    tool: str,
    caller: Mapping[str, str] | None,
    environ: Mapping[str, str],
    who: Any = None,
) -> Signing:
    """Decide which credentials a tool's request to the URL `base` may carry.

    `security` is the operation's own, or None if it has none. `caller` holds the headers of the
    HTTP request that is being answered, `who` is the sender of that request, and `environ` has the
    credentials. The error for a missing credential is raised later, since a hook may sign the
    request. A hook may also sign if there is only one API, and its document declares no security at
    all.
    """
    if backend.mock:
        return Signing()
    api, settings = backend.api, backend.settings
    origin = Origin.of(base)
    own = own_origins(api, settings, os.environ) or {origin}
    wanted = bool(api.security if security is None else security)
    if not may_receive_credentials(origin, own, settings):
        if wanted:
            logger.warning(
                "%s: no credential is sent to %s; to allow that, list the host in %s_ALLOW_HOSTS",
                tool,
                origin.host,
                api.env_prefix,
            )
        return Signing(allowed=False, wanted=wanted)
    is_silent = security is None and not api.security_schemes
    hooked = wanted or (is_silent and backend.is_only)
    credentials, missing = ANONYMOUS, None
    try:
        if caller is None or not settings.of_callers:
            credentials = choose(api, security, environ)
        else:
            bringing: Any = settings
            credentials = bringing.credentials_of(api, security, environ, caller, who)
    except ToolError as problem:
        missing = problem
    issued = list(credential_texts(settings.extra_headers, named=True))
    return Signing(
        credentials=credentials,
        wanted=wanted,
        hooked=hooked,
        missing=missing,
        who=who,
        issued=issued,
    )


def has_credential(name: str) -> bool:
    """Whether a header's name suggests that the header holds a credential."""
    return _NAMES.search(name) is not None


def credential_texts(headers: Iterable[tuple[str, str]], *, named: bool = False) -> Iterator[str]:
    """The values of headers, each with and without its authentication scheme.

    `named`: only headers whose name suggests a credential.
    """
    for name, value in headers:
        if not named or has_credential(name):
            yield value
            yield value.partition(" ")[2]


def without_credentials(response: Response[Any], secrets: Iterable[str]) -> Response[Any]:
    """The answer, with the credentials in `secrets` masked in body, headers and `misfits`."""
    mask = Mask(secrets)
    if not mask:
        return response
    headers = _headers(response.headers, mask)
    response = replace(
        response,
        headers=headers,
        content_type=headers.get("content-type", response.content_type),
        misfits=tuple(mask(misfit) for misfit in response.misfits),
    )
    if not mask.may_be_in(response.content):
        return response
    content = mask.in_bytes(response.content)
    is_bytes = response.kind in ("binary", "multipart")
    data = content if is_bytes else _value(response.data, mask)
    verbatim = response.verbatim
    if verbatim is not None:  # data alone may lack what a repeated key says
        values = json.loads(verbatim, object_pairs_hook=_pairs, parse_float=str)
        verbatim = verbatim if _value(values, mask) == values else None
    return replace(response, data=data, content=content, verbatim=verbatim)


def _headers(headers: Mapping[str, str], mask: Mask) -> Mapping[str, str]:
    if all(mask(value) == value for value in headers.values()):
        return headers
    import httpx2

    masked = {name: mask(value) for name, value in headers.items()}
    return httpx2.Headers(masked, encoding="utf-8")  # by itself it takes ASCII alone


def _value(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {mask(key): _value(child, mask) for key, child in value.items()}
    if isinstance(value, list):
        return [_value(child, mask) for child in value]
    if isinstance(value, int) and not isinstance(value, bool):
        masked = mask(str(value))
        return value if masked == str(value) else masked
    return value


def _pairs(items: list[tuple[str, Any]]) -> list[list[Any]]:
    return [[*item] for item in items]
