"""Which credentials a call sends, and where in the request.

A credential is read from the environment when a call is made, and only for a scheme that the
operation's own `security` names. Values never appear in an error, a log line or a repr.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..values.errors import ToolError
from ..values.headers import is_value
from ..values.url_checks import is_secure
from ..values.urls import ServerUrl, expand
from .description import (
    Api,
    ApiKey,
    Basic,
    HttpAuth,
    MutualTls,
    OAuth2,
    Requirement,
    Scheme,
    TokenScheme,
)

if TYPE_CHECKING:
    from .oauth import Grant, TokenExchange


@dataclass(frozen=True)
class Credentials:
    """The credentials of a request; empty for an anonymous call."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    certificate: tuple[str, str] | None = field(default=None, repr=False)
    """Paths of a client certificate and its key (empty: in the same file)."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Every text that must not be shown to anyone: as set, and as sent."""
    grant: Grant | TokenExchange | None = None
    """What the access token of the Authorization header is got for, where none is ready."""


ANONYMOUS = Credentials()
Place = str | ServerUrl
"""A URL for tokens, which may hold variables; empty where there is none."""


def variables(scheme: Scheme) -> tuple[str, ...]:
    """The environment variables that a scheme needs."""
    if isinstance(scheme, Basic):
        return (scheme.username_env, scheme.password_env)
    if isinstance(scheme, MutualTls):
        return (scheme.cert_env, scheme.key_env) if scheme.key_env else (scheme.cert_env,)
    return (scheme.env,)


def every_variable(scheme: Scheme) -> tuple[str, ...]:
    """The environment variables that a scheme needs, and those that a token can be got with."""
    names = variables(scheme)
    if isinstance(scheme, TokenScheme):
        names += (scheme.refresh_token_env, scheme.client_id_env, scheme.client_secret_env)
    return tuple(filter(None, names))


def choose(
    api: Api,
    security: Sequence[Requirement] | None,
    environ: Mapping[str, str],
    exchanged: Mapping[str, Callable[[], TokenExchange] | None] | None = None,
    brought: Mapping[str, str] | None = None,
) -> Credentials:
    """Pick the first alternative of `security` whose credentials are all set.

    `security` is OpenAPI's: alternatives, each of schemes that go together. None is the API's
    default, an empty list sends nothing, and an empty alternative allows an anonymous call where no
    credential is set. `exchanged` holds the schemes for which the caller's token is exchanged, and
    whose variables are not looked at: what makes the request for it, None where the caller brought
    none; `brought` the headers in which callers bring what stands for a variable.

    Raises:
        ToolError: no alternative is complete; the text names the variables and headers.
    """
    alternatives = api.security if security is None else security
    anonymous = not alternatives
    brought = brought or {}
    missing: list[list[str]] = []
    for alternative in alternatives:
        if not alternative:
            anonymous = True
            continue
        if not alternative.keys() <= api.security_schemes.keys():
            continue
        exchanges = {key: asked for key, asked in (exchanged or {}).items() if key in alternative}
        schemes = [api.security_schemes[key] for key in alternative if key not in exchanges]
        unset = [name for scheme in schemes for name in _unset(scheme, environ, brought)]
        lacking = [key for key, asked in exchanges.items() if asked is None]
        unset += [variables(api.security_schemes[key])[0] for key in lacking]
        if not unset:
            listed = [scope for scopes in alternative.values() for scope in scopes]
            scopes = tuple(dict.fromkeys(listed))
            found = _collect(schemes, environ, scopes, brought)
            asked = next(filter(None, exchanges.values()), None)
            return _exchanging(found, asked(), scopes) if asked else found
        missing.append(unset)
    if anonymous:
        return ANONYMOUS
    raise ToolError(_what_is_missing(missing, brought))


def _unset(scheme: Scheme, environ: Mapping[str, str], brought: Mapping[str, str]) -> list[str]:
    """As `unset_of`, with only the first variable of a scheme that callers bring."""
    unset, first = unset_of(scheme, environ), variables(scheme)[0]
    return [first] if unset and first in brought else unset


def unset_of(scheme: Scheme, environ: Mapping[str, str]) -> list[str]:
    """The variables that must be set for a scheme; alternatives are joined by "or"."""
    names = variables(scheme)
    if isinstance(scheme, Basic) and environ.get(scheme.username_env):
        return []
    if isinstance(scheme, MutualTls):
        names = (scheme.cert_env,)
    if isinstance(scheme, TokenScheme) and _ways(scheme):
        ways = ((scheme.env,), *_ways(scheme))
        if any(all(environ.get(name) for name in way) for way in ways):
            return []
        return [", or ".join(" and ".join(way) for way in ways)]
    return [name for name in names if not environ.get(name)]


def _ways(scheme: TokenScheme) -> list[tuple[str, ...]]:
    """The sets of variables that a token can be requested with; one whole set must be given."""
    token_url, refresh_url, discovery_url = endpoints(scheme)
    ways: list[tuple[str, ...]] = []
    if refresh_url or discovery_url:
        ways.append((scheme.refresh_token_env,))
    if token_url or discovery_url:
        ways.append((scheme.client_id_env, scheme.client_secret_env))
    return [way for way in ways if all(way)]


def endpoints(scheme: TokenScheme) -> tuple[Place, Place, Place]:
    """The URLs for a token, for refreshing one, and of metadata that names both; empty: none."""
    if isinstance(scheme, OAuth2):
        return scheme.token_url, scheme.refresh_url, ""
    return "", "", scheme.discovery_url


def url_of(place: Place, environ: Mapping[str, str]) -> str:
    """A URL for tokens with the variables that are set; empty where there is none.

    Raises:
        ToolError: it cannot be made of them, or may receive no secrets then.
    """
    if isinstance(place, str):
        return place
    url = expand(place, environ)
    if not is_secure(url):
        raise ToolError("The URL for access tokens is none by https: check the server's variables.")
    return url


def _what_is_missing(missing: Sequence[Sequence[str]], brought: Mapping[str, str]) -> str:
    """What an agent is told; `missing` holds the unset variables of each alternative."""
    if not missing:
        return (
            "This operation asks for a way to sign in that the API's document does not describe. "
            "Nothing was sent."
        )
    headers = dict.fromkeys(brought[name] for names in missing for name in names if name in brought)
    own = [" and ".join(name for name in names if name not in brought) for names in missing]
    text = "A credential is missing, and nothing was sent."
    if headers:
        text += (
            " Over HTTP it is the caller's own, and comes in the request to this server, in the "
            f"header {', or '.join(headers)}."
        )
    if any(own):
        text += (
            f" Set {', or '.join(filter(None, own))} in the environment of this server and restart "
            "it. Calling again before that will not help."
        )
    return text


def _grant(scheme: TokenScheme, environ: Mapping[str, str], scopes: tuple[str, ...]) -> Grant:
    from .oauth import Grant

    def value(name: str) -> str:
        return environ.get(name, "").strip() if name else ""

    token_url, refresh_url, discovery_url = endpoints(scheme)
    refresh_token = value(scheme.refresh_token_env) if refresh_url or discovery_url else ""
    return Grant(
        token_url=url_of(token_url, environ),
        refresh_url=url_of(refresh_url, environ),
        discovery_url=url_of(discovery_url, environ),
        client_id=value(scheme.client_id_env),
        client_secret=value(scheme.client_secret_env),
        refresh_token=refresh_token,
        # A refresh token has its scopes already. One grant is to serve all operations with it, for
        # it may be good only once.
        scopes=() if refresh_token else scopes,
    )


def _exchanging(found: Credentials, asked: TokenExchange, scopes: tuple[str, ...]) -> Credentials:
    secrets = (*found.secrets, asked.subject_token, asked.client_secret)
    grant = replace(asked, scopes=scopes, certificate=found.certificate)
    return replace(found, grant=grant, secrets=tuple(filter(None, secrets)))


def _collect(
    schemes: Sequence[Scheme],
    environ: Mapping[str, str],
    scopes: tuple[str, ...],
    brought: Mapping[str, str],
) -> Credentials:
    headers: list[tuple[str, str]] = []
    query: list[tuple[str, str]] = []
    cookies: list[tuple[str, str]] = []
    certificate: tuple[str, str] | None = None
    grant: Grant | None = None
    for scheme in schemes:
        if isinstance(scheme, TokenScheme) and not environ.get(scheme.env):
            grant = _grant(scheme, environ, scopes)
        elif isinstance(scheme, MutualTls):
            key = environ.get(scheme.key_env, "") if scheme.key_env else ""
            certificate = (environ[scheme.cert_env], key)
        elif isinstance(scheme, ApiKey):
            if scheme.location == "query":
                query.append((scheme.name, environ[scheme.env]))
                continue
            value = _header_safe(scheme, environ, brought)
            if scheme.location == "cookie":
                cookies.append((scheme.name, _cookie_value(value)))
            else:
                headers.append((scheme.name, value))
        else:
            headers.append(("Authorization", _authorization(scheme, environ, brought)))
    if grant is not None:
        grant = replace(grant, certificate=certificate)
    sent = [value for pairs in (headers, query, cookies) for _, value in pairs]
    sent += [quote(value, safe="") for _, value in query]
    sent += [value.partition(" ")[2] for name, value in headers if name == "Authorization"]
    as_set = [environ.get(name, "") for scheme in schemes for name in secret_variables(scheme)]
    secrets = tuple(text for text in (*sent, *as_set) if text)
    return Credentials(tuple(headers), tuple(query), tuple(cookies), certificate, secrets, grant)


def _cookie_value(value: str) -> str:
    """The value with what no cookie can hold percent-encoded; existing escapes stay."""
    from ..values.spelling import reserved_escape

    return reserved_escape("!#$&'()*+-./:<=>?@[]^_`{|}~")(value)


def secret_variables(scheme: Scheme) -> tuple[str, ...]:
    """The environment variables of a scheme whose values nobody may see."""
    if isinstance(scheme, Basic):
        return (scheme.password_env,)
    if isinstance(scheme, TokenScheme):
        return tuple(filter(None, (scheme.env, scheme.refresh_token_env, scheme.client_secret_env)))
    return () if isinstance(scheme, MutualTls) else variables(scheme)


def _authorization(scheme: Scheme, environ: Mapping[str, str], brought: Mapping[str, str]) -> str:
    if isinstance(scheme, Basic):
        user = environ.get(scheme.username_env, "")
        password = environ.get(scheme.password_env, "")
        return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")
    assert not isinstance(scheme, ApiKey | MutualTls)
    value = _header_safe(scheme, environ, brought)
    name = scheme.scheme if isinstance(scheme, HttpAuth) else "Bearer"
    if value.lower().startswith(f"{name.lower()} "):
        value = value[len(name) + 1 :].lstrip()
    return f"{name} {value}"


def can_carry(scheme: Scheme, credential: str) -> bool:
    """Whether a header can carry a scheme's credential, which in a cookie is percent-encoded."""
    is_cookie = isinstance(scheme, ApiKey) and scheme.location == "cookie"
    return is_value(credential) or (is_cookie and credential.isprintable())


def _header_safe(scheme: Scheme, environ: Mapping[str, str], brought: Mapping[str, str]) -> str:
    (variable,) = variables(scheme)
    stripped = environ[variable].strip()
    if not can_carry(scheme, stripped):
        place = f"The environment variable {variable}"
        if variable in brought:
            place = f"The header {brought[variable]} of the request to this server"
        raise ToolError(
            f"{place} holds characters that a header cannot carry, such as a line break. "
            "Nothing was sent."
        )
    return stripped
