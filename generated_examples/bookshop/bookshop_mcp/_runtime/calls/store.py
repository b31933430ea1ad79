"""Named values that a server keeps from one call to the next, in its memory or a shared store.

A part gets its server's store with `store_of(server)`, whichever of the two it is::

    store = store_of(server)
    await store.put(("code", code), value, ttl=60)
    value = await store.take(("code", code))  # of many callers at once, one gets the value

    async with store.lock(("refresh", user), lease=70, wait=65):  # one process renews, others wait
        ...

    old = await store.get(("grant", id))
    if old and not await store.replace(("grant", id), old, new, ttl=3600):
        ...  # somebody else was faster: read again

    full = await store.admit(Limits(seats={("pending", address): 10}), holder=id, lease=600)
    if full is None:
        ...  # counted: one of at most ten, until `leave` or for 600 seconds

A name begins with its kind, a word that only the part uses; the rest may be secret, since it is
hashed. Values are bytes, and are encrypted wherever they leave the process. A value that is absent,
has expired or can no longer be read is None. Each method may raise `StoreError`, a `ToolError`
whose text may be shown to callers. It is then unknown whether a change took place, so nothing may
rely on it. The memory of a process never raises this error, and loses all values when the process
ends.
"""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import anyio

from ..values.errors import ToolError

if TYPE_CHECKING:
    from .server import ServerParts

Name = tuple[str, ...]
"""The kind of what is kept, and what tells it from others of its kind."""
Bounds = Mapping[Name, int]
"""How many bytes the values of each group may have together."""

_MAX_BUCKETS = 10_000
"""Beyond them, those are dropped that have been full for a minute."""
_SWEEP_SECONDS = 60.0
"""Seconds between looks for values that have expired."""


class StoreError(ToolError):
    """The store cannot be reached or is full; callers may be shown the text."""


class Full(NamedTuple):
    """A limit that has been reached, and the seconds until one more holder is admitted."""

    name: Name
    wait: float
    """Seconds until there is one more; 0: when a holder leaves, or its lease ends."""


@dataclass(frozen=True)
class Limits:
    """Limits that are checked together: a new holder counts in all of them, or in none if one is
    full.
    """

    seats: Mapping[Name, int] = field(default_factory=dict)
    """How many may hold one at a time."""
    rates: Mapping[Name, int] = field(default_factory=dict)
    """How many a minute there may be. The minute slides: each grows back after its share of it."""


class Store(Protocol):
    """The values that a server keeps beyond a call; the module explains the use."""

    is_shared: bool
    """Whether other processes of the server find it too."""

    async def put(self, name: Name, value: bytes, ttl: float, within: Bounds | None = None) -> None:
        """Keep a value for `ttl` seconds; it replaces an older value with this name.

        In each group of `within`, the oldest values are dropped if the group has too many bytes.
        """

    async def get(self, name: Name) -> bytes | None:
        """The value; None if there is no value."""

    async def take(self, name: Name) -> bytes | None:
        """Remove the value and return it; of many callers at once, one gets the value."""

    async def delete(self, name: Name) -> None:
        """Remove a value, if there is one."""

    async def replace(self, name: Name, old: bytes | None, new: bytes, ttl: float) -> bool:
        """Store `new` if the value is still `old` (None: absent); returns whether it was stored."""

    def lock(self, name: Name, lease: float, wait: float) -> AbstractAsyncContextManager[None]:
        """A lock with one holder at a time, until the `async with` block or the lease ends.

        Raises:
            StoreError: others have held it for `wait` seconds.
        """

    async def admit(
        self, limits: Limits, holder: str = "", lease: float | None = None
    ) -> Full | None:
        """Count one more holder, or return the limit that is reached and count nothing.

        A `holder` that is admitted again is not counted twice. Its place becomes free with `leave`
        or after `lease` seconds; without a lease, at the latest when the process ends.
        """

    async def check(self, limits: Limits) -> Full | None:
        """The limit that leaves no room for one more holder, or None; the holder is not counted."""

    async def leave(self, seats: Iterable[Name], holder: str) -> None:
        """Free the given seats of a holder."""


class MemoryStore:
    """A store in the memory of one process; `now` is a clock in seconds."""

    is_shared = False

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._values: dict[Name, tuple[bytes, float]] = {}
        self._groups: dict[Name, dict[Name, None]] = {}
        self._swept = now()
        self._buckets: dict[Name, tuple[float, float]] = {}
        """What is left of each rate, which grows over time, and when that was."""
        self._seats: dict[Name, dict[str, float]] = {}
        """Holders, with the ends of their leases."""
        self._locks: dict[Name, tuple[anyio.Semaphore, int]] = {}
        """Each with how many hold it or wait for it."""

    async def put(self, name: Name, value: bytes, ttl: float, within: Bounds | None = None) -> None:
        """Implements `Store.put`."""
        self._sweep()
        self._values.pop(name, None)
        self._values[name] = (value, self._now() + ttl)
        for group, most in (within or {}).items():
            names = self._groups.setdefault(group, {})
            names.pop(name, None)
            names[name] = None
            self._shrink(names, most)

    def _shrink(self, names: dict[Name, None], most: int) -> None:
        """Drop the oldest values of a group that is too large; the newest value stays."""
        sizes = {name: len(value) for name in names if (value := self._read(name)) is not None}
        for name in [*names]:
            if name not in sizes or (sum(sizes.values()) > most and len(sizes) > 1):
                del names[name]
                self._values.pop(name, None)
                sizes.pop(name, None)

    def _sweep(self) -> None:
        now = self._now()
        if now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            self._values = {name: kept for name, kept in self._values.items() if kept[1] > now}
            groups = self._groups.items()
            left = {group: {n: None for n in names if n in self._values} for group, names in groups}
            self._groups = {group: names for group, names in left.items() if names}

    def _read(self, name: Name) -> bytes | None:
        value, until = self._values.get(name, (b"", 0.0))
        return value if until > self._now() else None

    async def get(self, name: Name) -> bytes | None:
        """Implements `Store.get`."""
        return self._read(name)

    async def take(self, name: Name) -> bytes | None:
        """Implements `Store.take`."""
        value = self._read(name)
        self._values.pop(name, None)
        return value

    async def delete(self, name: Name) -> None:
        """Implements `Store.delete`."""
        self._values.pop(name, None)

    async def replace(self, name: Name, old: bytes | None, new: bytes, ttl: float) -> bool:
        """Implements `Store.replace`."""
        if self._read(name) != old:
            return False
        self._values[name] = (new, self._now() + ttl)
        return True

    @asynccontextmanager
    async def lock(self, name: Name, lease: float, wait: float) -> AsyncIterator[None]:
        """Implements `Store.lock`; the lock is held until the `with` block ends."""
        lock, users = self._locks.get(name, (anyio.Semaphore(1), 0))
        self._locks[name] = (lock, users + 1)
        try:
            with anyio.move_on_after(wait) as waiting:
                await lock.acquire()
            if waiting.cancelled_caught:
                raise busy()
            try:
                yield
            finally:
                lock.release()
        finally:
            lock, users = self._locks.pop(name)
            if users > 1:
                self._locks[name] = (lock, users - 1)

    async def admit(
        self, limits: Limits, holder: str = "", lease: float | None = None
    ) -> Full | None:
        """Implements `Store.admit`."""
        full, buckets = self._fill(limits, holder)
        if full is not None:
            return full
        now = self._now()
        if len(self._buckets) >= _MAX_BUCKETS and not buckets.keys() <= self._buckets.keys():
            recent = {name: each for name, each in self._buckets.items() if now - each[1] < 60}
            self._buckets = recent
        self._buckets |= buckets
        for name in limits.seats:
            until = math.inf if lease is None else now + lease
            self._seats.setdefault(name, {})[holder] = until
        return None

    async def check(self, limits: Limits) -> Full | None:
        """Implements `Store.check`."""
        return self._fill(limits, "")[0]

    def _fill(
        self, limits: Limits, holder: str
    ) -> tuple[Full | None, dict[Name, tuple[float, float]]]:
        """Find out whether one more holder fits the limits.

        Returns the first limit that is full; if none is, the rate buckets after this holder was
        counted.
        """
        now = self._now()
        for name, most in limits.seats.items():
            held = {who: end for who, end in self._seats.get(name, {}).items() if end > now}
            if len(held) >= most and holder not in held:
                return Full(name, 0.0), {}
        buckets = {}
        for name, most in limits.rates.items():
            left, filled = self._buckets.get(name, (float(most), now))
            left = min(most, left + (now - filled) * most / 60)
            if left < 1:
                return Full(name, (1 - left) * 60 / most), {}
            buckets[name] = (left - 1, now)
        return None, buckets

    async def leave(self, seats: Iterable[Name], holder: str) -> None:
        """Implements `Store.leave`."""
        now = self._now()
        for name in seats:
            held = self._seats.pop(name, {})
            held.pop(holder, None)
            if held := {who: end for who, end in held.items() if end > now}:
                self._seats[name] = held


def busy() -> StoreError:
    """The error if others hold a lock for too long."""
    return StoreError("Another process of this server is doing the same work. Try again later.")


def store_of(server: ServerParts) -> Store:
    """The store of a server: memory, unless a part has installed a shared store."""
    if Store not in server.kept:
        server.kept[Store] = MemoryStore()
    kept: Store = server.kept[Store]
    return kept
