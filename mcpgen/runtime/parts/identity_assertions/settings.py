"""The settings of clients with identity assertions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...values import environment as read
from ...values.settings import Settings, setting
from ..http.settings import Who

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")
_HASH = re.compile(r"[0-9a-f]{64}")


def clients(text: str) -> read.Pairs:
    """Clients and the SHA-256 of their secrets; a client has two while its secret changes."""
    shape = "must be lines `client-id: SHA-256 of its secret`, in 64 digits of 0-9 and a-f"
    pairs = read.members(text, shape)
    if not all(_ID.fullmatch(client) and _HASH.fullmatch(digest) for client, digest in pairs):
        raise ValueError(shape)
    return pairs


@dataclass(frozen=True)
class AssertionSettings(Settings):
    """The settings of a server to which clients may bring identity assertions."""

    sign_in_clients: tuple[tuple[str, str], ...] = setting((), clients, Who.CALLERS, secret=True)
    """Over HTTP: lines `client-id: SHA-256 of its secret`; the clients that may bring identity
    assertions (ID-JAG) of the provider at which people sign in."""
