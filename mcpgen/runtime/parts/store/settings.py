"""The settings of the store that replicas share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...values import environment as read
from ...values.settings import setting
from ...values.urls import parsed
from ..http.settings import SharedSettings

_SCHEMES = ("redis", "rediss")
_DATABASE = re.compile(r"/?[0-9]{0,4}")


def store_url(text: str) -> str:
    """The text, if it is the URL of a Redis or Valkey server; the URL may contain a password.

    Raises ValueError for any other text.
    """
    parts = parsed(text)
    path = parts and parts._replace(scheme="", netloc="").geturl()
    if parts is None or parts.scheme not in _SCHEMES or not _DATABASE.fullmatch(path or ""):
        raise ValueError(
            "must be a URL such as redis://cache.example.com:6379/0, or rediss://... with TLS, "
            "without further options"
        )
    return text


@dataclass(frozen=True)
class StoreSettings(SharedSettings):
    """The settings of a server whose replicas may share a store."""

    store: str | None = setting(None, store_url, secret=True, closing=True)
    """Over HTTP: the Redis or Valkey that all processes share, `redis://...` or `rediss://...`;
    needs `state_keys`. Unset: each process keeps its own in memory."""
    store_failure: str = setting("closed", read.one_of("closed", "open"))
    """What becomes of limited calls while it cannot be reached: `closed` refuses them, `open` lets
    them through uncounted."""
