"""OAuth 2.0 and OpenID Connect: schemes with an access token, and token requests."""

from __future__ import annotations

import asyncio
import logging
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

import anyio

from ...credentials.auth import no_token
from ...credentials.schemes import Credentials, OneVariable, Place, Scheme, Signer, Source
from ...values.errors import ToolError
from ...values.urls import WELL_KNOWN, Origin, expand, is_secure
from .token_answers import check, failure_of, refusal, seconds

if TYPE_CHECKING:
    from ...backend.answer import Answer
    from ...backend.exchange import Exchange, Retries
    from ...backend.outgoing import Outgoing
    from ...backend.session import Backend

logger = logging.getLogger(__name__)

FetchJson = Callable[..., Awaitable[Mapping[str, Any]]]
"""Asks a host for JSON: `Backend.fetch_json`."""

_METADATA_SECONDS = 3600.0
"""Seconds until metadata is read again."""
_MAX_EARLY_SECONDS = 30.0
"""Seconds before its end in which a token is not used any more, or a tenth of its life."""
_READY = "Retrying will not help; a ready token in this server's environment would."
_CREDENTIALS = "Retrying will not help until this server's credentials for it are corrected."
_EXCHANGE = (
    "The token that the caller brought was not exchanged for one for the API; retrying "
    "will not help until the caller brings another or its rights change."
)
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
_USABLE = (_ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt")
_NOT_TAKEN = ("invalid_client", "invalid_request")
"""Errors of a server that does not see who asks: the second, where the client's id is missing."""


@dataclass(frozen=True)
class Grant(Signer):
    """The grant for an access token: a caller's token, a refresh token, a password, or a client
    secret.

    The first one that is available is used. A caller's token is exchanged (RFC 8693 2.1) for each
    request.
    """

    token_url: str
    refresh_url: str
    discovery_url: str
    """Where the issuer's metadata names the token endpoint, if the document does not."""
    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)
    scopes: tuple[str, ...]
    certificate: Any = field(default=None, repr=False)
    """What the API is shown besides the token, which may be bound to it (RFC 8705 3)."""
    subject_token: str = field(default="", repr=False)
    audience: str = ""
    resource: str = ""
    login_url: str = ""
    username: str = ""
    """With `password`, of the password flow (RFC 6749 4.3)."""
    password: str = field(default="", repr=False)

    @property
    def is_kept(self) -> bool:
        """Whether the grant's token is cached: such a token may have been revoked by now."""
        return not self.subject_token

    @property
    def signs_in(self) -> bool:
        """Whether the grant has a login URL, a user name and a password."""
        return bool(self.login_url and self.username and self.password)

    @property
    def about(self) -> tuple[str, ...]:
        """The fields that identify a grant, without its secrets."""
        urls = (self.token_url, self.refresh_url, self.discovery_url, self.login_url)
        return (*urls, self.client_id, self.username, *self.scopes)

    def url(self, *, refreshed: bool) -> str:
        """The URL of the token endpoint; empty if it has to be read from the issuer's metadata."""
        if refreshed:
            return self.refresh_url
        return self.login_url if self.signs_in else self.token_url

    def form(self, refresh_token: str) -> dict[str, str]:
        """The form of a token request, without the client's own credentials."""
        if refresh_token:
            return {"grant_type": "refresh_token", "refresh_token": refresh_token}
        scope = " ".join(self.scopes)
        if not self.signs_in:
            return {"grant_type": "client_credentials", "scope": scope}
        login = {"username": self.username, "password": self.password}
        return {"grant_type": "password", **login, "scope": scope}

    def bound(self, certificate: Any) -> Grant:
        """A copy of this grant whose requests present a client certificate."""
        return replace(self, certificate=certificate)

    async def send(self, exchange: Exchange, outgoing: Outgoing, retries: Retries) -> Answer:
        """The answer to a request that is sent with a token from the grant."""
        return await _sent(exchange, self, outgoing, retries)


@dataclass(frozen=True)
class TokenScheme(OneVariable):
    """A scheme whose access token is configured, or obtained by one of the grants.

    The grants use a refresh token, a user name and password, or a client id and secret.
    """

    env: str
    refresh_token_env: str = ""
    client_id_env: str = ""
    client_secret_env: str = ""
    username_env: str = field(default="", init=False)
    password_env: str = field(default="", init=False)
    earlier_env: str = field(default="", init=False)
    """What `env` was called before."""
    token_url: Place = field(default="", init=False)
    login_url: Place = field(default="", init=False)
    refresh_url: Place = field(default="", init=False)
    discovery_url: Place = field(default="", init=False)
    gets_tokens = takes_tokens = True

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """The variables to set for each way to get a token; empty if one way is complete."""
        ways: list[tuple[str, ...]] = [(self.env,)]
        if self.refresh_token_env and (self.refresh_url or self.discovery_url):
            ways.append((self.refresh_token_env,))
        login = (self.username_env, self.password_env)
        if all(login) and self.login_url:
            ways.append(login)
        pair = (self.client_id_env, self.client_secret_env)
        if all(pair) and (self.token_url or self.discovery_url):
            ways.append(pair)
        there = [*ways, (self.earlier_env,)]
        if any(all(name and environ.get(name) for name in way) for way in there):
            return []
        return [", or ".join(" and ".join(way) for way in ways)]

    def remark(self, environ: Mapping[str, str]) -> str:
        """A remark that a renamed variable is still used under its earlier name; else empty."""
        is_used = self.earlier_env and environ.get(self.earlier_env) and not environ.get(self.env)
        return f"{self.earlier_env} is now called {self.env}; it is still read" if is_used else ""

    def sign(self, source: Source) -> Credentials:
        """Credentials with the configured token, or with the grant that obtains one."""
        environ = source.environ
        if environ.get(self.env):
            return self._authorization("Bearer", source)
        if self.earlier_env and environ.get(self.earlier_env):
            return replace(self, env=self.earlier_env, earlier_env="").sign(source)

        def value(name: str) -> str:
            return environ.get(name, "").strip() if name else ""

        can_refresh = self.refresh_url or self.discovery_url
        refresh_token = value(self.refresh_token_env) if can_refresh else ""
        login_url = url_of(self.login_url, environ)
        grant = Grant(
            token_url=url_of(self.token_url, environ),
            refresh_url=url_of(self.refresh_url, environ),
            discovery_url=url_of(self.discovery_url, environ),
            client_id=value(self.client_id_env),
            client_secret=value(self.client_secret_env),
            refresh_token=refresh_token,
            # A refresh token has its scopes already. One grant is to serve all operations with it,
            # for it may be good only once.
            scopes=() if refresh_token else source.scopes,
            login_url=login_url,
            username=value(self.username_env) if login_url else "",
            password=value(self.password_env) if login_url else "",
        )
        return Credentials(signer=grant)

    def exchanged(self, settings: Any, header: str) -> Exchanged:
        """This scheme, which exchanges the caller's token in `header` (the header's value)."""
        return Exchanged.of(self, settings, header)

    def endpoint(self, settings: Any) -> tuple[Place, Place]:
        """The URL for exchanging tokens, and the URL of metadata from which it can be read."""
        if settings.exchange_token_url:
            return settings.exchange_token_url, ""
        return self.token_url or self.refresh_url, self.discovery_url


@dataclass(frozen=True)
class OAuth2(TokenScheme):
    """OAuth 2.0, with a URL each for client credentials, for passwords and for refreshing.

    A URL is empty where the document does not describe that flow.
    """

    token_url: Place = ""
    refresh_url: Place = ""
    username_env: str = field(default="", kw_only=True)
    password_env: str = field(default="", kw_only=True)
    earlier_env: str = field(default="", kw_only=True)
    login_url: Place = field(default="", kw_only=True)


@dataclass(frozen=True)
class OpenIdConnect(TokenScheme):
    """OpenID Connect, with the URL of the provider's metadata.

    The URL is empty if it may not receive secrets.
    """

    discovery_url: Place = ""


def url_of(place: Place, environ: Mapping[str, str]) -> str:
    """A token URL with its variables filled in; empty if there is none.

    Raises:
        ToolError: the variables do not make a URL, or the URL may not receive secrets.
    """
    if isinstance(place, str):
        return place
    url = expand(place, environ)
    if not is_secure(url):
        raise ToolError("The URL for access tokens must use https: check the server's variables.")
    return url


@dataclass(frozen=True)
class Exchanged(Scheme):
    """A scheme with a caller's token, which is exchanged for a token of the API."""

    variable: str
    scheme: TokenScheme
    settings: Any
    subject_token: str = field(repr=False)

    @classmethod
    def of(cls, scheme: TokenScheme, settings: Any, header: str) -> Exchanged:
        """The scheme with a header's token (`Bearer` is optional); a malformed one has none."""
        kind, _, token = header.strip().partition(" ")
        if kind.lower() != "bearer":
            token = "" if token else kind
        return cls(scheme.variables[0], scheme, settings, token.strip())

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """The header for the caller's token, if the token is missing; otherwise an empty list."""
        return [] if self.subject_token else [self.variable]

    def sign(self, source: Source) -> Credentials:
        """Credentials whose token is obtained in exchange for the caller's token."""
        urls = (url_of(each, source.environ) for each in self.scheme.endpoint(self.settings))
        token_url, discovery_url = urls
        secret = source.environ.get(self.scheme.client_secret_env, "").strip()
        grant = Grant(
            token_url=token_url,
            refresh_url="",
            discovery_url=discovery_url,
            client_id=source.environ.get(self.scheme.client_id_env, "").strip(),
            client_secret=secret,
            refresh_token="",
            scopes=source.scopes,
            subject_token=self.subject_token,
            audience=self.settings.exchange_audience or "",
            resource=self.settings.exchange_resource or "",
        )
        return Credentials(signer=grant, secrets=(self.subject_token, secret))


@dataclass
class _KeptToken:
    """The cached tokens of a grant, and the running task that requests a new token."""

    refresh_token: str = field(repr=False)
    token: str = field(default="", repr=False)
    ends: float = 0.0
    asking: asyncio.Task[str | None] | None = None

    def usable(self, refused: str) -> bool:
        return self.token != refused and time.monotonic() < self.ends

    def keep(self, answer: Mapping[str, Any], *, may_refresh: bool) -> None:
        self.token = answer["access_token"]
        life = seconds(answer.get("expires_in"))
        self.ends = time.monotonic() + life - min(_MAX_EARLY_SECONDS, life / 10)
        if may_refresh and isinstance(answer.get("refresh_token"), str):
            self.refresh_token = answer["refresh_token"]


class Tokens:
    """The access tokens of a server, and the authorization servers that issue them."""

    def __init__(self, fetch_json: FetchJson, timeout: float, shared: Any = None) -> None:
        """`shared`: the tokens that replicas share; None if the server has no shared store."""
        self._fetch_json = fetch_json
        self._timeout = timeout
        self._shared = shared
        self._kept: dict[Grant, _KeptToken] = {}
        self._in_body: dict[tuple[str, str], bool] = {}
        """How a URL last took who a client is, by the URL and the client's id."""
        self._lock = anyio.Lock()
        self._metadata: dict[str, tuple[Mapping[str, Any], float]] = {}
        """By its URL, with the time at which it is read again."""

    async def get(self, grant: Grant, refused: str = "") -> str:
        """A token that has not expired and is not `refused`; exchanged tokens are not cached.

        However many calls need a token at once, the token endpoint is asked once. If the call is
        cancelled, the request goes on: its answer may hold the only refresh token that is still
        valid.

        Raises:
            ToolError: no token can be obtained.
        """
        if not grant.is_kept:
            return await self._exchange(grant)
        slot = self._kept.get(grant)
        if slot is None:
            slot = self._kept[grant] = _KeptToken(grant.refresh_token)
        if not slot.usable(refused):
            if slot.asking is None or slot.asking.done():
                slot.asking = asyncio.ensure_future(self._renew(grant, slot, refused))
            failure = await asyncio.shield(slot.asking)
            if failure is not None:
                raise ToolError(failure)
        return slot.token

    async def _renew(self, grant: Grant, slot: _KeptToken, refused: str) -> str | None:
        """Request a token and cache it; returns the reason for a failure, else None."""

        async def renew() -> None:
            with anyio.fail_after(self._timeout):
                may_refresh = bool(grant.refresh_url or grant.discovery_url)
                slot.keep(await self._granted(grant, slot), may_refresh=may_refresh)

        try:
            if self._shared is None:
                await renew()
            else:
                who = grant.about, _secrets(grant)
                await self._shared.renewed(*who, slot, refused, self._timeout, renew)
            return None
        except ToolError as problem:
            return problem.message
        except TimeoutError:
            pass
        where = grant.url(refreshed=bool(slot.refresh_token)) or grant.discovery_url
        return no_token(where, "it did not answer in time.", "Retrying later may help.").message

    async def _granted(self, grant: Grant, slot: _KeptToken) -> Mapping[str, Any]:
        answer, url = await self._asked(grant, slot.refresh_token)
        if answer.get("error") == "invalid_grant" and slot.refresh_token != grant.refresh_token:
            slot.refresh_token = grant.refresh_token  # another process may have used it up
            answer, url = await self._asked(grant, slot.refresh_token)
        check(answer, url, _CREDENTIALS, (*_secrets(grant), slot.refresh_token))
        return answer

    async def _asked(self, grant: Grant, refresh_token: str) -> tuple[Mapping[str, Any], str]:
        """Request a token by `refresh_token`, or else by the grant; returns the answer and
        the URL.
        """
        url = grant.url(refreshed=bool(refresh_token))
        url = url or await self._token_endpoint(grant.discovery_url)
        return await self._ask(url, grant, grant.form(refresh_token)), url

    async def _exchange(self, grant: Grant) -> str:
        url = grant.token_url or await self._token_endpoint(grant.discovery_url)
        form = {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": grant.subject_token,
            "subject_token_type": _ACCESS_TOKEN,
            "requested_token_type": _ACCESS_TOKEN,
            "audience": grant.audience,
            "resource": grant.resource,
            "scope": " ".join(grant.scopes),
        }
        answer = await self._ask(url, grant, form)
        check(answer, url, _EXCHANGE, _secrets(grant))
        if answer.get("issued_token_type", _ACCESS_TOKEN) not in _USABLE:
            raise no_token(url, "its token is not an access token.", "Retrying will not help.")
        token: str = answer["access_token"]
        return token

    async def _ask(self, url: str, grant: Grant, form: dict[str, str]) -> Mapping[str, Any]:
        """The answer of a token endpoint; a failure has a member `error`.

        The client authenticates with HTTP Basic or in the body (RFC 6749 2.3.1), whichever the
        server has accepted before: some servers read only the body. Without a secret, the body is
        used.

        Raises:
            ToolError: the answer cannot be read.
        """
        client = (url, grant.client_id)
        first = self._in_body.get(client, not grant.client_secret)
        # Where one was taken, a request can be invalid for other reasons, as in RFC 8693 2.2.2.
        refused = _NOT_TAKEN[:1] if client in self._in_body else _NOT_TAKEN
        answer: Mapping[str, Any] = {}
        for in_body in (first, not first) if grant.client_secret else (True,):
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            own: dict[str, str] = {}
            if in_body:
                own = {"client_id": grant.client_id, "client_secret": grant.client_secret}
            else:
                headers["Authorization"] = f"Basic {_pair(grant)}"
            body = urlencode({name: value for name, value in (form | own).items() if value})
            answer = await self._fetch_json("POST", url, headers, body.encode(), grant.certificate)
            if "error" not in answer:
                self._in_body[client] = in_body
            if answer.get("error") not in refused:
                break
        return answer

    async def _token_endpoint(self, url: str) -> str:
        """The token endpoint that the metadata at `url` names; metadata is read once an hour.

        Raises:
            ToolError: the metadata cannot be read, is another issuer's (Discovery 4.3), or names a
                URL that may not receive secrets.
        """
        async with self._lock:
            metadata, ends = self._metadata.get(url, ({}, 0.0))
            if time.monotonic() >= ends:
                metadata = await self._fetch_json("GET", url, {})
                if "error" in metadata:
                    why, when = refusal(metadata)
                    raise no_token(url, why, when or _READY)
                issuer = metadata.get("issuer")
                if not isinstance(issuer, str) or issuer.rstrip("/") + WELL_KNOWN != url:
                    raise no_token(url, "its metadata is that of another issuer.", _READY)
                self._metadata[url] = (metadata, time.monotonic() + _METADATA_SECONDS)
        endpoint = metadata.get("token_endpoint")
        if not isinstance(endpoint, str) or not is_secure(endpoint):
            self._metadata.pop(url, None)  # it may be corrected
            raise no_token(url, "its metadata has no token endpoint with https.", _READY)
        return endpoint


def _pair(grant: Grant) -> str:
    pair = f"{quote_plus(grant.client_id)}:{quote_plus(grant.client_secret)}"
    return b64encode(pair.encode()).decode("ascii")


def _secrets(grant: Grant) -> tuple[str, ...]:
    """The secrets that a response may repeat, both plain and encoded."""
    own = (grant.client_secret, _pair(grant), grant.refresh_token, grant.subject_token)
    return (*own, grant.password)


async def _sent(exchange: Exchange, grant: Grant, outgoing: Outgoing, retries: Retries) -> Answer:
    """Send a request with an access token; after a 401, get a new token and send it once more.

    Raises:
        ToolError: no token can be obtained.
    """
    token = await _token(exchange, grant, outgoing)
    answer = await exchange.persist(outgoing.bearing(token), retries)
    if answer.status != 401 or not grant.is_kept:
        return answer
    logger.info("%s: the access token was refused; a new one is requested", exchange.tool)
    token = await _token(exchange, grant, outgoing, refused=token)
    return await exchange.persist(outgoing.bearing(token), retries)


async def _token(exchange: Exchange, grant: Grant, outgoing: Outgoing, refused: str = "") -> str:
    try:
        token = await tokens_of(exchange.backend).get(grant, refused)
    except ToolError as problem:
        raise failure_of(problem, outgoing) from None
    exchange.signing.issued.append(token)
    return token


def tokens_of(backend: Backend) -> Tokens:
    """The access tokens for an API; they are kept for the life of a server."""
    if "tokens" not in backend.kept:
        fetch_json = partial(_fetch, backend)
        backend.kept["tokens"] = Tokens(fetch_json, backend.settings.timeout, backend.shared)
    tokens: Tokens = backend.kept["tokens"]
    return tokens


async def _fetch(backend: Backend, method: str, url: str, *more: Any) -> Mapping[str, Any]:
    """Fetch an authorization server's JSON answer; a POST is counted as a token request."""
    from ...backend.observing import OBSERVED

    answer: Mapping[str, Any] = {"error": "none came"}
    try:
        answer = await backend.fetch_json(method, url, *more)
        return answer
    finally:
        observed = OBSERVED.get()
        if observed and method == "POST":
            observed.on_token(Origin.of(url).host, "error" if "error" in answer else "ok")
