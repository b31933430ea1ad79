"""Encryption of the values that leave the process for the store."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState

from ...backend.threads import aside

logger = logging.getLogger(__name__)


class Sealed:
    """Encrypts values with the first key, and decrypts them with any of the keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._codec = AESGCMRequestStateCodec(list(keys))
        self._told = False

    async def seal(self, key: str, value: bytes) -> bytes:
        """The encrypted value, which can be decrypted only under the same store key."""
        whole = key.encode() + b"\0" + value
        return await aside(len(value), lambda: self._codec.seal(whole).encode())

    async def open(self, key: str, text: bytes) -> bytes | None:
        """The decrypted value that was stored under `key`; None if it cannot be decrypted.

        The first such failure is reported as a warning in the log.
        """
        try:
            whole = await aside(len(text), lambda: self._codec.unseal(text.decode("latin-1")))
        except InvalidRequestState as problem:
            whole, reason = b"", str(problem)
        else:
            reason = "it was stored under another name"
        own, _, value = whole.partition(b"\0")
        if own == key.encode():
            return value
        if not self._told:
            self._told = True
            logger.warning(
                "a value in the store cannot be opened (%s), and counts as gone: are STATE_KEYS "
                "the same in all processes? Further ones are not logged",
                reason,
            )
        return None
