"""The record of each sign-in: the person, the provider's tokens, and the tokens issued here.

Each token given to a client names the record. A code or a refresh token is the record's id plus a
secret; the record has the hash of the whole token. An access token is encrypted, with the id
inside. So when the record is deleted, all its tokens become invalid.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from ...calls.store import Bounds, Store
from .people import Person, SignedIn

CODE = 60.0
"""Seconds in which a code must be redeemed."""
_GRACE_SECONDS = 30.0
"""Seconds in which a refresh token may come again, and gets the same successor."""
_LEASE_SECONDS = 90.0
"""Seconds after which a process that works on a grant is taken to be dead."""
_MAX_BYTES_OF_A_PERSON = 200_000
"""Bytes that are kept of all sign-ins of a person, some fifty: the oldest end first."""


@dataclass(frozen=True)
class Grant:
    """A grant: one person's sign-in for one client, and the tokens issued for it."""

    id: str
    client: str
    label: str
    """What the client is called where its id is too long."""
    resource: str
    asked: tuple[str, ...] | None
    """The scopes that the client asked for; None: all that the person has."""
    signed_in: SignedIn
    checked: float
    """When the provider last said so, in seconds since 1970."""
    pause: float = 0.0
    """Until when it is left alone, since it did not answer."""
    code: str = ""
    """The hash of its code, as long as nobody has redeemed it."""
    code_ends: float = 0.0
    challenge: str = ""
    redirect_uri: str = ""
    explicit: bool = True
    """Whether the client gave the redirect URI, and so must give it again."""
    refresh: str = ""
    """The hash of its refresh token."""
    earlier: str = ""
    """The hash of the one before, which is good for a moment more: its answer may be lost."""
    rotated: float = 0.0
    seed: str = ""
    """What the one before became the last one by, so that it does so again."""
    ends: float = 0.0

    def with_secret(self, field: str, **more: Any) -> tuple[Grant, str]:
        """A copy of this grant with a new secret, and the token that contains the secret."""
        token = f"{self.id}.{token_urlsafe(32)}"
        changes: dict[str, Any] = {field: _hash(token), **more}
        return replace(self, **changes), token

    def takes(self, token: str, now: float) -> bool:
        """Whether the grant accepts a refresh token now."""
        is_late = now >= self.rotated + _GRACE_SECONDS
        return self.has(self.refresh, token) or (not is_late and self.has(self.earlier, token))

    def rotate(self, token: str, now: float) -> tuple[Grant, str]:
        """A copy of this grant that accepts the next refresh token, and that refresh token."""
        if not self.has(self.refresh, token):
            return self, self._successor(token)
        grant = replace(self, earlier=self.refresh, rotated=now, seed=token_urlsafe(32))
        successor = grant._successor(token)
        return replace(grant, refresh=_hash(successor)), successor

    def _successor(self, token: str) -> str:
        digest = hmac.digest(self.seed.encode(), token.encode(), "sha256")
        return f"{self.id}.{urlsafe_b64encode(digest).decode().rstrip('=')}"

    def has(self, kept: str, token: str) -> bool:
        """Whether `kept` is the hash of a token."""
        return hmac.compare_digest(kept, _hash(token))


class Grants:
    """Reads and writes grants in the server's store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, token: str) -> Grant | None:
        """The grant that a code or a refresh token names, whether or not the token is valid."""
        return await self.get(token.partition(".")[0])

    async def get(self, grant: str) -> Grant | None:
        """The grant with that id; None if it has ended."""
        kept = await self._store.get(("grant", grant))
        if kept is None:
            return None
        value = json.loads(kept)
        signed_in, asked = value["signed_in"], value["asked"]
        person = Person(**{**signed_in["person"], "groups": tuple(signed_in["person"]["groups"])})
        value["signed_in"] = SignedIn(**{**signed_in, "person": person})
        return Grant(**{**value, "asked": asked if asked is None else tuple(asked)})

    async def put(self, grant: Grant, now: float) -> None:
        """Keep a grant until it ends."""
        person = grant.signed_in.person
        within: Bounds = {("grants", person.issuer, person.subject): _MAX_BYTES_OF_A_PERSON}
        value = json.dumps(asdict(grant)).encode()
        await self._store.put(("grant", grant.id), value, max(1.0, grant.ends - now), within)

    async def end(self, grant: str) -> None:
        """End a grant, and so every token that was issued for it."""
        await self._store.delete(("grant", grant))

    @asynccontextmanager
    async def lock(self, grant: str) -> AsyncIterator[None]:
        """The lock of a grant, so that only one process at a time changes it."""
        async with self._store.lock(("grant", grant), _LEASE_SECONDS, _LEASE_SECONDS):
            yield


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
