"""Access tokens that are JSON Web Tokens (RFC 9068), checked with the issuer's published keys."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.provider import AccessToken

from ..values.errors import ToolError
from ..values.urls import is_secure
from .access import NAMELESS

if TYPE_CHECKING:
    from ..backend.shared import Backend

logger = logging.getLogger(__name__)

_LIFE = 600.0
"""Seconds until the keys are read again."""
_PAUSE = 30.0
"""Seconds between two attempts, however many tokens come that name an unknown key."""
_LEEWAY = 30
"""Seconds that the clocks may differ."""
_BY_TYPE = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA", "Ed25519"),
}
"""Signatures only: a shared secret is no way to check what another issued."""


_Key = tuple[Any, tuple[str, ...]]
"""A key, and the algorithms that it may sign with."""


class Unavailable(Exception):
    """Tokens cannot be checked now, since the issuer's keys cannot be fetched."""


class IssuerKeys:
    """The keys of an issuer, by their id."""

    def __init__(
        self,
        backend: Backend,
        issuer: str,
        jwks_url: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backend = backend
        self._issuer = issuer
        self._named_url = jwks_url
        self._url: str | None = None
        """Where the keys were last."""
        self._clock = clock
        self._lock = anyio.Lock()
        self._keys: list[tuple[str, _Key]] = []
        self._read = self._tried = float("-inf")
        self._failed = False

    async def get(self, key_id: str | None, unfit: Sequence[_Key] = ()) -> list[_Key]:
        """The keys of this id, or all where a token names none; empty where none is published.

        While the keys are read again, whoever brings a known one does not wait. `unfit` are keys
        that did not sign the token: others may have taken their place.

        Raises:
            Unavailable: no key could be read yet, or this one may be among those that could not.
        """
        found = self._found(key_id)
        if found and found != unfit and (self._is_fresh or self._lock.locked()):
            return found
        async with self._lock:
            wanted = not self._is_fresh or self._found(key_id) in ([], unfit)
            if wanted and self._clock() >= self._tried + _PAUSE:
                await self._refresh()
                self._tried = self._clock()
            found = self._found(key_id)
            if not found and (self._failed or not self._keys):
                raise Unavailable
            return found

    @property
    def _is_fresh(self) -> bool:
        return self._clock() < self._read + _LIFE

    def _found(self, key_id: str | None) -> list[_Key]:
        return [key for name, key in self._keys if key_id is None or name == key_id]

    async def _refresh(self) -> None:
        self._failed = True
        try:
            with anyio.fail_after(self._backend.settings.timeout):
                url = self._named_url or self._url or await self._discovered()
                self._url = None  # where there are none, metadata may name another place
                answer = await self._backend.fetch_json("GET", url, {})
        except (ToolError, TimeoutError):
            logger.warning("the issuer's keys cannot be read")
            return
        keys = answer.get("keys")
        if "error" in answer or not isinstance(keys, list):
            logger.warning("the issuer's keys cannot be read: it answered something else")
            return
        self._keys = list(filter(None, map(_key, keys)))
        self._read, self._failed, self._url = self._clock(), False, url

    async def _discovered(self) -> str:
        """The issuer's `jwks_uri` (RFC 8414 3 and 5, OpenID Connect Discovery 4).

        Raises:
            ToolError: no metadata names one.
        """
        parts = urlsplit(self._issuer)
        path, root = parts.path.rstrip("/"), f"{parts.scheme}://{parts.netloc}"
        for url in (
            f"{root}/.well-known/oauth-authorization-server{path}",
            f"{root}{path}/.well-known/openid-configuration",
            f"{root}/.well-known/openid-configuration{path}",
        ):
            metadata: Mapping[str, Any] = {}
            with suppress(ToolError):  # some gateways drop what asks for a path they do not know
                metadata = await self._backend.fetch_json("GET", url, {})
            found, named = metadata.get("jwks_uri"), metadata.get("issuer", self._issuer)
            if named != self._issuer:
                logger.warning("%s is of another issuer, %.200r: each letter counts", url, named)
            elif isinstance(found, str) and is_secure(found) and "issuer" in metadata:
                return found
        raise ToolError("The issuer's metadata names no keys.")


def _key(published: Any) -> tuple[str, _Key] | None:
    """Id, key and allowed algorithms of a published key (RFC 7517)."""
    import jwt
    from jwt.algorithms import OKPAlgorithm

    if not isinstance(published, Mapping) or published.get("use", "sig") != "sig":
        return None
    allowed = _BY_TYPE.get(str(published.get("kty")), ())
    named = published.get("alg")
    algorithms = tuple(alg for alg in allowed if named in (None, alg))
    if not algorithms:
        return None
    with suppress(ValueError):  # it has a handler already
        jwt.register_algorithm("Ed25519", OKPAlgorithm())  # EdDSA's newer name (RFC 9864)
    try:
        key = jwt.PyJWK(dict(published), algorithm=allowed[0]).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return str(published.get("kid", "")), (key, algorithms)


class JwtVerifier:
    """The SDK's `TokenVerifier` for tokens of one issuer and audience, in any of its spellings."""

    def __init__(
        self,
        keys: IssuerKeys,
        issuer: str,
        audiences: Sequence[str],
        implied: Sequence[tuple[str, str]] = (),
    ) -> None:
        """`implied` are pairs of a scope and another that it stands for too."""
        self._keys = keys
        self._issuer = issuer
        self._audiences = audiences
        self._implied = implied

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's claims, or None where it is not one for this server, or no longer.

        Where it names nobody, whoever brings it is told from others by the token itself.

        Raises:
            Unavailable: the issuer's keys cannot be read.
        """
        import jwt

        try:
            header = jwt.get_unverified_header(token)
            if _is_other(header.get("typ")):
                logger.info("a token was refused: it is no access token")
                return None
            key_id = header.get("kid")
            found = await self._keys.get(key_id)
            if not found:
                logger.info("a token was refused: its key is none that the issuer publishes")
                return None
            claims = await self._claims(token, key_id, found)
        except (jwt.PyJWTError, ValueError, TypeError) as problem:
            logger.info("a token was refused: %s", type(problem).__name__)
            return None
        if claims.get("cnf"):  # RFC 7800; whoever stole such a token has no key to it
            logger.info("a token was refused: it is good only with a proof that is not asked for")
            return None
        client = claims.get("client_id") or claims.get("azp") or claims.get("sub")
        return AccessToken(
            token=token,
            client_id=str(client or f"{NAMELESS}{sha256(token.encode()).hexdigest()[:16]}"),
            scopes=_scopes(claims, self._implied),
            expires_at=int(claims["exp"]) + _LEEWAY,
            resource=self._audiences[0],
            subject=str(claims["sub"]) if "sub" in claims else None,
            claims=claims,
        )

    async def _claims(self, token: str, key_id: str | None, keys: Sequence[_Key]) -> dict[str, Any]:
        """The claims of a token that one of the keys signed, or one that has taken its place.

        Raises:
            PyJWTError: none of them did, or the token is not for this server.
            Unavailable: the issuer's keys cannot be read.
        """
        import jwt

        try:
            return self._decoded(token, keys)
        except jwt.InvalidSignatureError:
            others = await self._keys.get(key_id, unfit=keys)
            if others == keys:
                raise
            return self._decoded(token, others)

    def _decoded(self, token: str, keys: Sequence[_Key]) -> dict[str, Any]:
        """The claims of a token that one of the keys signed.

        Raises:
            PyJWTError: none of them did, or the token is not for this server.
        """
        import jwt

        for key, algorithms in keys:
            try:
                return jwt.decode(
                    token,
                    key,
                    algorithms=list(algorithms),
                    audience=self._audiences,
                    issuer=self._issuer,
                    leeway=_LEEWAY,
                    options={"require": ["exp", "iss", "aud"]},
                )
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
                continue
        raise jwt.InvalidSignatureError


def _is_other(kind: Any) -> bool:
    """Whether a token is of a type that says what else it is (RFC 8725 3.11); many say nothing."""
    name = str(kind).lower().removeprefix("application/")
    return name.endswith("+jwt") and name != "at+jwt"


def _scopes(claims: Mapping[str, Any], implied: Sequence[tuple[str, str]]) -> list[str]:
    """All scopes in `scope` (RFC 8693 4.2), and in `scp` as some issuers name it."""
    found: list[str] = []
    for name in ("scope", "scp"):
        value = claims.get(name, "")
        if isinstance(value, str):
            found += value.split()
        elif isinstance(value, list):
            found += map(str, value)
    whole = dict.fromkeys(found)
    for _ in implied:
        whole |= dict.fromkeys(narrower for broader, narrower in implied if broader in whole)
    return list(whole)
