"""Values that clients and browsers store for this server but can neither read nor change."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any

from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState

_PURPOSE = "mcpgen sign-in: "
"""Before each key, which seals the state of questions too."""


class Seals:
    """Seals values of several kinds; each seal is valid for a limited time."""

    def __init__(self, keys: Sequence[str], clock: Callable[[], float] = time.time) -> None:
        """The first of `keys` encrypts; if there are none, a random key of this process does."""
        self._codec = AESGCMRequestStateCodec([_PURPOSE + key for key in keys or [token_hex(32)]])
        self._clock = clock

    def seal(self, kind: str, value: Mapping[str, Any], seconds: float) -> str:
        """The sealed value, in characters that URLs, cookies and headers allow."""
        whole = {"kind": kind, "ends": int(self._clock() + seconds), "value": value}
        return self._codec.seal(json.dumps(whole, separators=(",", ":")).encode())

    def open(self, kind: str, text: str) -> dict[str, Any] | None:
        """Open a sealed text; None if it is of another kind or server, was changed, or has
        expired.
        """
        with suppress(InvalidRequestState):
            whole: dict[str, Any] = json.loads(self._codec.unseal(text))
            if whole["kind"] == kind and whole["ends"] > self._clock():
                value: dict[str, Any] = whole["value"]
                return value
        return None
