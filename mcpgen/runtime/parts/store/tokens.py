"""Access tokens for APIs: one replica renews a token while the others wait for it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import Any

from ...calls.store import Name, Store, StoreError

_REFRESH_TOKEN_SECONDS = 90 * 86400.0
"""Seconds that a refresh token is kept after its last use."""
_SPARE_SECONDS = 5.0
"""Seconds that a lock lasts beyond the answer of an authorization server."""
_SAVE_SECONDS = 0.5


class SharedTokens:
    """The access tokens that a server's replicas share."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._saving: set[asyncio.Future[None]] = set()

    async def renewed(
        self,
        about: Sequence[str],
        secrets: Sequence[str],
        slot: Any,
        refused: str,
        timeout: float,
        renew: Callable[[], Awaitable[None]],
    ) -> None:
        """Put a usable token into `slot`: another replica's, or a new one from `renew`.

        `about` identifies the grant, and `secrets` show whether it has changed.

        Raises:
            ToolError: no token can be obtained, or it is unknown whether a refresh token is used
                up.
        """
        name: Name = ("token", *about)
        digest = sha256(json.dumps(secrets).encode()).hexdigest()
        async with AsyncExitStack() as stack:
            try:
                lock = self._store.lock(name, timeout + _SPARE_SECONDS, timeout)
                await stack.enter_async_context(lock)
                value = await self._store.get(name)
            except StoreError:
                if slot.refresh_token:  # it may be good only once
                    raise
                await renew()
                return
            kept = json.loads(value or b"{}")
            if kept.get("of") == digest:
                slot.refresh_token = kept["refresh_token"]
                ends = time.monotonic() + kept["until"] - time.time()
                if kept["token"] != refused and ends > time.monotonic():
                    slot.token, slot.ends = kept["token"], ends
                    return
            await renew()
            until = time.time() + slot.ends - time.monotonic()
            record = {"of": digest, "token": slot.token, "until": until}
            record["refresh_token"] = slot.refresh_token
            saving = asyncio.ensure_future(self._save(name, record, timeout, stack.pop_all()))
            self._saving.add(saving)
            saving.add_done_callback(self._saving.discard)
        await asyncio.wait([saving], timeout=_SAVE_SECONDS)

    async def _save(
        self, name: Name, record: dict[str, Any], timeout: float, lock: AsyncExitStack
    ) -> None:
        """Save a token for the other replicas; on failure, retry until the lock expires."""
        life = (
            _REFRESH_TOKEN_SECONDS
            if record["refresh_token"]
            else max(1.0, record["until"] - time.time())
        )
        until = time.monotonic() + timeout + _SPARE_SECONDS
        async with lock:
            while time.monotonic() < until:
                try:
                    await self._store.put(
                        name, json.dumps(record).encode(), min(life, _REFRESH_TOKEN_SECONDS)
                    )
                    return
                except StoreError:
                    await asyncio.sleep(_SAVE_SECONDS)
