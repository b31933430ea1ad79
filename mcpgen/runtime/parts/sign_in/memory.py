"""What one process keeps of sign-ins, in its memory."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import anyio

Name = tuple[str, ...]


class MemoryStore:
    """Values with an end, by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._values: dict[Name, tuple[bytes, float]] = {}
        self._locks: dict[Name, anyio.Lock] = {}

    async def put(
        self, name: Name, value: bytes, ttl: float, within: Mapping[Name, int] | None = None
    ) -> None:
        """Keep a value for `ttl` seconds, in place of an older one."""
        now = self._now()
        self._values = {each: kept for each, kept in self._values.items() if kept[1] > now}
        self._values[name] = (value, now + ttl)

    async def get(self, name: Name) -> bytes | None:
        """The value."""
        value, until = self._values.get(name, (b"", 0.0))
        return value if until > self._now() else None

    async def delete(self, name: Name) -> None:
        """Drop a value, if there is one."""
        self._values.pop(name, None)

    @asynccontextmanager
    async def lock(self, name: Name, lease: float, wait: float) -> AsyncIterator[None]:
        """What one holds at a time."""
        async with self._locks.setdefault(name, anyio.Lock()):
            yield
