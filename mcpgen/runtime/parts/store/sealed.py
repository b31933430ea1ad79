"""Values as they leave the process: encrypted, each for its own key."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState

from ...backend.threads import aside

logger = logging.getLogger(__name__)


class Sealed:
    """Seals values with the first key, and opens values of any key, like requests' state."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._codec = AESGCMRequestStateCodec(list(keys))
        self._told = False

    async def seal(self, key: str, value: bytes) -> bytes:
        """A value that opens only under this key, so that it cannot be moved to another one."""
        whole = key.encode() + b"\0" + value
        return await aside(len(value), lambda: self._codec.seal(whole).encode())

    async def open(self, key: str, text: bytes) -> bytes | None:
        """The value; None, with one warning, if no key of this process opens it."""
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
