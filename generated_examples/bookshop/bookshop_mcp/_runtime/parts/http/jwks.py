"""Access tokens that are JSON Web Tokens (RFC 9068), verified with the issuer's published keys."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import jwt
from mcp.server.auth.provider import AccessToken

from ...calls.caller import NAMELESS
from ...values.errors import ToolError
from ...values.urls import is_secure
from . import issuers

if TYPE_CHECKING:
    from ...backend.session import Backend

logger = logging.getLogger(__name__)

_KEYS_SECONDS = 600.0
"""Seconds until the keys are read again."""
_RETRY_SECONDS = 30.0
"""Seconds between two attempts, however many tokens come that name an unknown key."""
LEEWAY = 30
"""Seconds that the clocks may differ."""
_BY_TYPE = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}
"""Signatures only: a shared secret is no way to check what another issued."""
_Key = tuple[Any, tuple[str, ...]]
"""A key, and the algorithms that it may sign with."""


class Unavailable(Exception):
    """Tokens cannot be verified now, since the issuer's keys cannot be fetched."""


@dataclass
class IssuerKeys:
    """The keys of an issuer, by their ids."""

    backend: Backend
    issuer: str
    url: str | None = None
    """Where they are; None: its metadata says it."""
    clock: Callable[[], float] = time.monotonic
    _lock: anyio.Lock = field(default_factory=anyio.Lock)
    _keys: list[tuple[str, _Key]] = field(default_factory=list)
    _read: float = float("-inf")
    _tried: float = float("-inf")
    _failed: bool = False

    async def get(self, key_id: str | None, *, replaced: bool = False) -> list[_Key]:
        """The keys with this id, or all keys if it is None; empty if the issuer publishes none.

        While the keys are being read again, a caller with a known key does not wait. `replaced`:
        the known keys did not sign the token, so the issuer may have replaced them.

        Raises:
            Unavailable: no key could be read yet, or this key may be among those that could not be
                read.
        """
        keys = self._of(key_id)
        if keys and not replaced and (self._is_fresh or self._lock.locked()):
            return keys
        async with self._lock:
            is_due = replaced or not self._is_fresh or not self._of(key_id)
            if is_due and self.clock() >= self._tried + _RETRY_SECONDS:
                self._failed = not await self._refresh()
                self._tried = self.clock()
            keys = self._of(key_id)
            if not keys and (self._failed or not self._keys):
                raise Unavailable
            return keys

    @property
    def _is_fresh(self) -> bool:
        return self.clock() < self._read + _KEYS_SECONDS

    def _of(self, key_id: str | None) -> list[_Key]:
        return [key for name, key in self._keys if key_id is None or name == key_id]

    async def _refresh(self) -> bool:
        try:
            with anyio.fail_after(self.backend.settings.timeout):
                url = self.url or await self._discovered()
                answer = await self.backend.fetch_json("GET", url, {})
        except (ToolError, TimeoutError):
            answer = {}
        keys = answer.get("keys")
        if "error" in answer or not isinstance(keys, list):
            logger.warning("the issuer's keys cannot be read")
            return False
        self._keys = list(filter(None, map(_key, keys)))
        self._read = self.clock()
        return True

    async def _discovered(self) -> str:
        """The issuer's `jwks_uri`; raises ToolError if no metadata names it."""
        jwks_uri: str = (await metadata_of(self.backend, self.issuer, "jwks_uri"))["jwks_uri"]
        return jwks_uri


async def metadata_of(backend: Backend, issuer: str, *needed: str) -> Mapping[str, Any]:
    """The metadata of an issuer (RFC 8414 3 and 5, OpenID Connect Discovery 4).

    Raises:
        ToolError: no metadata has all of the necessary URLs.
    """
    parts = urlsplit(issuer)
    path, root = parts.path.rstrip("/"), f"{parts.scheme}://{parts.netloc}"
    for url in (
        f"{root}/.well-known/oauth-authorization-server{path}",
        f"{root}{path}/.well-known/openid-configuration",
        f"{root}/.well-known/openid-configuration{path}",
    ):
        metadata: Mapping[str, Any] = {}
        with suppress(ToolError):  # some gateways drop what asks for a path they do not know
            metadata = await backend.fetch_json("GET", url, {})
        named, own = metadata.get("issuer", issuer), [metadata.get(name) for name in needed]
        if named != issuer:
            text = "%s names another issuer, %.200r: it must be exactly the configured one"
            logger.warning(text, url, named)
        elif "issuer" in metadata and all(isinstance(e, str) and is_secure(e) for e in own):
            return metadata
    raise ToolError(f"The issuer's metadata lacks {' and '.join(needed)}.")


def _key(published: Any) -> tuple[str, _Key] | None:
    """The id, key and allowed algorithms of a published key (RFC 7517)."""
    if not isinstance(published, Mapping) or published.get("use", "sig") != "sig":
        return None
    possible = _BY_TYPE.get(str(published.get("kty")), ())
    algorithms = tuple(name for name in possible if published.get("alg") in (None, name))
    if not algorithms:
        return None
    try:
        key = jwt.PyJWK(dict(published), algorithm=possible[0]).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return str(published.get("kid", "")), (key, algorithms)


class Refused(ValueError):
    """A token is not accepted here; the message gives the reason, and no part of the token."""


@dataclass
class JwtVerifier:
    """The SDK's `TokenVerifier` for tokens of one issuer that have one of the given audiences."""

    keys: IssuerKeys
    issuer: str
    audiences: Sequence[str]
    implied: Sequence[tuple[str, str]] = ()
    """Pairs of a scope and another that it stands for too."""
    below: re.Pattern[str] | None = None
    """What an audience may have behind one of these: an address of the same server."""
    stand_in: str = ""
    """The claim that stands for `aud` where a token has none."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """The claims of a token for this server; None if it is invalid or expired.

        If a token names neither a client nor a subject, its hash identifies the caller.

        Raises:
            Unavailable: the issuer's keys cannot be read.
        """
        try:
            claims = await self._claims(token)
        except (jwt.PyJWTError, ValueError, TypeError) as problem:
            why = problem if isinstance(problem, Refused) else type(problem).__name__
            logger.info("a token was refused: %s", why)
            return None
        client = claims.get("client_id") or claims.get("azp") or claims.get("sub")
        return AccessToken(
            token=token,
            client_id=str(client or f"{NAMELESS}{sha256(token.encode()).hexdigest()[:16]}"),
            scopes=scopes_of(claims, self.implied, issuers.claims_of_scopes(self.issuer)),
            expires_at=int(claims["exp"]) + LEEWAY,
            resource=self.audiences[0],
            subject=str(claims["sub"]) if "sub" in claims else None,
            claims=claims,
        )

    async def _claims(self, token: str) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        kind = str(header.get("typ")).lower().removeprefix("application/")
        if kind.endswith("+jwt") and kind != "at+jwt":  # RFC 8725 3.11; many say nothing
            raise Refused("it is not an access token")
        own = issuers.names_of(self.issuer)
        claims = await verified(token, self.keys, self._audiences(token), own, self.stand_in)
        if self.stand_in and claims.get("token_use", "access") != "access":
            raise Refused("it is not an access token")
        if claims.get("cnf"):  # RFC 7800; whoever stole such a token has no key to it
            raise Refused("it is bound to a proof of possession, which this server does not check")
        return claims

    def _audiences(self, token: str) -> list[str]:
        """The accepted audiences: the server's, and those in the token that are paths below it."""
        if self.below is None:
            return [*self.audiences]
        claimed = jwt.decode(token, options={"verify_signature": False}).get("aud")
        named = [claimed] if isinstance(claimed, str) else claimed
        texts = [each for each in named if isinstance(each, str)] if named else []
        return [*self.audiences, *(t for t in texts if self.below.sub("", t) in self.audiences)]


async def verified(
    token: str,
    keys: IssuerKeys,
    audiences: Sequence[str],
    names: Sequence[str],
    stand_in: str = "",
) -> dict[str, Any]:
    """The claims of a token that the issuer signed for one of the audiences.

    `names` are those of the issuer; the claim `stand_in` is used if there is no audience.

    Raises:
        PyJWTError, ValueError: the token is invalid or expired.
        Unavailable: the issuer's keys cannot be read.
    """
    key_id = jwt.get_unverified_header(token).get("kid")
    published = await keys.get(key_id)
    if not published:
        raise Refused("its key is not one that the issuer publishes")
    try:
        return _decoded(token, published, audiences, names, stand_in)
    except jwt.InvalidSignatureError:
        published = await keys.get(key_id, replaced=True)
        return _decoded(token, published, audiences, names, stand_in)


def _decoded(
    token: str,
    keys: Sequence[_Key],
    audiences: Sequence[str],
    names: Sequence[str],
    stand_in: str,
) -> dict[str, Any]:
    """The claims of a token that one of the keys signed; raises PyJWTError."""
    claimed = jwt.decode(token, options={"verify_signature": False})
    if "aud" in claimed or claimed.get(stand_in) not in audiences:
        stand_in = ""
    required = ["exp", "iss", stand_in or "aud"]
    for key, algorithms in keys:
        try:
            return jwt.decode(
                token,
                key,
                algorithms=list(algorithms),
                audience=None if stand_in else audiences,
                issuer=names,
                leeway=LEEWAY,
                options={"require": required},
            )
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
            continue
    raise jwt.InvalidSignatureError


def scopes_of(
    claims: Mapping[str, Any],
    implied: Sequence[tuple[str, str]],
    among: Sequence[str] = ("scope", "scp"),
) -> list[str]:
    """The scopes in `scope` (RFC 8693 4.2) or `scp` (some issuers), plus those that they imply."""
    scopes = dict[str, None]()
    for value in map(claims.get, among):
        names = value.split() if isinstance(value, str) else value
        scopes |= dict.fromkeys(map(str, names if isinstance(names, list) else ()))
    return with_implied(scopes, implied)


def with_implied(scopes: Iterable[str], implied: Sequence[tuple[str, str]]) -> list[str]:
    """The scopes, together with the scopes that they imply."""
    whole = dict.fromkeys(scopes)
    for _ in implied:
        whole |= dict.fromkeys(narrower for broader, narrower in implied if broader in whole)
    return list(whole)
