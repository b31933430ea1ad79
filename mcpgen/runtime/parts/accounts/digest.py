"""HTTP Digest (RFC 7616): answers a challenge, and reuses its nonce until a new one comes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...credentials.schemes import Credentials, Signer, Source
from .login import Login, User

if TYPE_CHECKING:
    import httpx2

    from ...backend.answer import Answer
    from ...backend.exchange import Exchange, Retries
    from ...backend.outgoing import Outgoing
    from ...backend.session import Backend

_HASHES = {"md5": "md5", "sha-256": "sha256", "sha-512-256": "sha512_256"}
_PART = re.compile(r'([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([\w-]+)')
"""A parameter of a challenge, or the name of its scheme."""
_MAX_CHARACTERS = 2_048
"""Characters of a challenge, or of its cookies, that are sent back: APIs bound their headers."""
_COOKIE = re.compile(r"(?:^|,\s*)([\w!#$%&'*+.^`|~-]+=[^\s;,]*)")
"""A cookie in one or several Set-Cookie headers, without what is said of it."""


@dataclass(frozen=True)
class Digest(Login):
    """HTTP Digest (RFC 7616)."""

    username_env: str
    password_env: str

    def sign(self, source: Source) -> Credentials:
        """Credentials that answer the API's challenge."""
        return Credentials(signer=Answering(self.user(source)))


@dataclass(frozen=True)
class Answering(Signer):
    """Signs requests with HTTP digest authentication.

    Each request answers the API's latest challenge; if it is refused with a new challenge, it is
    repeated once.
    """

    user: User

    async def send(self, exchange: Exchange, outgoing: Outgoing, retries: Retries) -> Answer:
        """Send a request, and send it again if it was refused with a new challenge."""
        challenges = _challenges_to(exchange.backend)
        answered = challenges.has(self.user)
        answer = await exchange.persist(outgoing, retries)
        if answer.status != 401 or not challenges.take(
            self.user, answer.headers, answered=answered
        ):
            return answer
        return await exchange.persist(outgoing, retries)

    def prove(self, exchange: Exchange, request: httpx2.Request) -> None:
        """Add the header that answers the latest challenge, unless a hook signed the request."""
        from ...backend.signing import credential_texts

        target = request.extensions.get("target", request.url.raw_path).decode("ascii")
        proof = _challenges_to(exchange.backend).proof(self.user, request.method, target)
        if proof is None or "authorization" in request.headers:
            return
        request.headers["Authorization"] = proof.authorization
        if proof.cookies:
            pairs = (request.headers.get("Cookie"), proof.cookies)
            request.headers["Cookie"] = "; ".join(filter(None, pairs))
        exchange.signing.issued.extend((proof.response, proof.cookies))
        exchange.signing.issued.extend(credential_texts([("Authorization", proof.authorization)]))


def _challenges_to(backend: Backend) -> Challenges:
    """The challenges of an API; they are kept for the life of a server."""
    kept: Challenges = backend.kept.setdefault("challenges", Challenges())
    return kept


@dataclass(frozen=True)
class Proof:
    """The value of a Digest Authorization header."""

    authorization: str = field(repr=False)
    response: str = field(repr=False)
    """The part of it that only the password can make."""
    cookies: str = field(repr=False)
    """Those that came with the challenge: Flask-HTTPAuth knows its nonce by a session."""


class Challenges:
    """The latest challenge for each user, for the life of a server."""

    def __init__(self) -> None:
        self._last: dict[User, dict[str, str]] = {}
        self._counts: dict[User, int] = {}

    def has(self, user: User) -> bool:
        """Whether there is a challenge for the user."""
        return user in self._last

    def proof(self, user: User, method: str, target: str) -> Proof | None:
        """The proof for one request (RFC 7616 3.4); None before the first challenge."""
        challenge = self._last.get(user)
        if challenge is None:
            return None
        self._counts[user] += 1
        return _proof(challenge, user, method, target, self._counts[user])

    def take(self, user: User, headers: Mapping[str, str], *, answered: bool) -> bool:
        """Keep the challenge of a 401; returns whether to send the request again.

        `answered`: the request already answered a challenge. It is then sent again only with a new
        nonce, and not if the server says that the old nonce was still valid (`stale=false`, 3.3).
        """
        challenge = next(_challenges(headers.get("www-authenticate", "")), None)
        if challenge is None:
            return False
        is_new = self._last.get(user, {}).get("nonce") != challenge["nonce"]
        if is_new:
            given = _COOKIE.findall(headers.get("set-cookie", ""))
            cookies = "; ".join(filter(_fits_header, given))
            self._last[user] = {**challenge, "cookies": cookies if _fits_header(cookies) else ""}
            self._counts[user] = 0
        return not answered or (is_new and challenge.get("stale", "").lower() != "false")


def _challenges(header: str) -> Iterator[dict[str, str]]:
    """The Digest challenges that can be answered, in the server's order (RFC 7616 3.7)."""
    challenges: list[tuple[str, dict[str, str]]] = [("", {})]
    for name, quoted, plain, scheme in _PART.findall(header):
        if scheme:
            challenges.append((scheme.lower(), {}))
        else:
            challenges[-1][1].setdefault(name.lower(), quoted or plain)
    for scheme, challenge in challenges:
        if scheme == "digest" and challenge.keys() >= {"realm", "nonce"} and _hash_of(challenge):
            yield from [challenge] if _fits_header("".join(challenge.values())) else []


def _fits_header(text: str) -> bool:
    """Whether a string from a challenge can be sent back in a header."""
    return text.isascii() and text.isprintable() and len(text) <= _MAX_CHARACTERS


def _hash_of(challenge: Mapping[str, str]) -> str:
    """The hash that a challenge requests; empty if it is unavailable or must cover the body."""
    if "auth" not in re.split(r"[\s,]+", challenge.get("qop", "auth").lower()):
        return ""
    name = _HASHES.get(challenge.get("algorithm", "MD5").lower().removesuffix("-sess"), "")
    return name if name in hashlib.algorithms_available else ""


def _proof(
    challenge: Mapping[str, str], user: User, method: str, target: str, number: int
) -> Proof:
    hash_name = _hash_of(challenge)

    def digest(*parts: str) -> str:
        return hashlib.new(hash_name, ":".join(parts).encode(), usedforsecurity=False).hexdigest()

    realm, nonce = challenge["realm"], challenge["nonce"]
    count, own = f"{number:08x}", token_hex(16)
    secret = digest(user.name, realm, user.password)
    if challenge.get("algorithm", "").lower().endswith("-sess"):
        secret = digest(secret, nonce, own)
    counted = (count, own, "auth") if "qop" in challenge else ()
    response = digest(secret, nonce, *counted, digest(method, target))
    # What was quoted goes back as it was written, with its escapes.
    quoted = {"realm": realm, "nonce": nonce, "uri": target, "response": response}
    if "opaque" in challenge:
        quoted["opaque"] = challenge["opaque"]
    parts = [_name_of(user), *(f'{name}="{value}"' for name, value in quoted.items())]
    if "algorithm" in challenge:
        parts.append(f"algorithm={challenge['algorithm']}")
    if counted:
        parts += [f"qop=auth, nc={count}", f'cnonce="{own}"']
    return Proof(f"Digest {', '.join(parts)}", response, challenge["cookies"])


def _name_of(user: User) -> str:
    """The `username` parameter (RFC 7616 3.4), encoded if it is not ASCII (RFC 8187)."""
    if user.name.isascii() and user.name.isprintable():
        escaped = user.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'username="{escaped}"'
    return f"username*=UTF-8''{quote(user.name, safe='')}"
