"""A store in Redis or Valkey, whose values all replicas of a server share."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from hashlib import sha256
from secrets import token_hex
from typing import Any, TypeVar
from urllib.parse import quote

import anyio
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import OutOfMemoryError, RedisError

from ...calls.store import Bounds, Full, Limits, Name, StoreError, busy
from . import scripts
from .sealed import Sealed
from .settings import StoreSettings

logger = logging.getLogger(__name__)

T = TypeVar("T")

FORM = 1
"""The version of the form of keys and values: other ones are not seen."""
LEASE = 15.0
"""Seconds after which the seats of a process end that has died."""
_TIMEOUT_SECONDS = 5.0
"""Seconds in which the store must answer."""
_MAX_CONNECTIONS = 50
_DOWN = (
    "What this server shares with its other processes cannot be reached now (its store does not "
    "answer). Try again later."
)
_FULL = "The store of this server is full. Try again later."


class RedisStore:
    """The server's values in Redis or Valkey; implements `calls.store.Store`."""

    is_shared = True

    def __init__(self, settings: StoreSettings, server: str) -> None:
        self._settings = settings
        self._prefix = f"mcp:{{{quote(server, safe='')}:{FORM}}}:"
        self._sealed = Sealed(settings.state_keys)
        self._client: Any = None
        self._lives = 0
        self._beating: asyncio.Future[None]
        self._held: dict[str, list[str]] = {}
        """The keys of the seats that each holder has as long as this process lives."""
        self.answers_since: float | None = None
        """Since when it answers without a failure, by `time.monotonic`; None: it does not."""
        self._told = False
        self.seconds: Any = None
        """What is told of each step: how long it took, and whether it failed."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the connection open in this context; contexts of several clients may overlap."""
        self._lives += 1
        if self._lives == 1:
            self._beating = asyncio.ensure_future(self._beat())
        try:
            yield
        finally:
            self._lives -= 1
            if not self._lives:
                self._beating.cancel()
                client, self._client = self._client, None
                if client is not None:
                    await client.aclose()

    async def _beat(self) -> None:
        """Renew this process's leases on limits at intervals, and check that the store answers."""
        while True:
            with suppress(StoreError):
                await self._answered(self._connection.ping())
                for holder, keys in [*self._held.items()]:
                    await self._run(scripts.RENEW, keys, holder, LEASE)
            await asyncio.sleep(LEASE / 3 if self.answers_since is not None else 1.0)

    @property
    def _connection(self) -> Any:
        if self._client is None:
            more = {"ssl_ca_certs": self._settings.ca_bundle} if self._is_tls else {}
            pool = BlockingConnectionPool.from_url(
                self._settings.store or "",
                protocol=2,
                max_connections=_MAX_CONNECTIONS,
                timeout=_TIMEOUT_SECONDS,
                socket_timeout=_TIMEOUT_SECONDS,
                socket_connect_timeout=_TIMEOUT_SECONDS,
                retry=Retry(NoBackoff(), 0),  # nobody knows whether a step took place
                **more,
            )
            self._client = Redis.from_pool(pool)
        return self._client

    @property
    def _is_tls(self) -> bool:
        return (self._settings.store or "").startswith("rediss:")

    def _key(self, name: Name) -> str:
        """The key of a name; only the name's kind is readable in it."""
        digest = sha256(json.dumps(name[1:]).encode()).hexdigest()
        return f"{self._prefix}{name[0]}:{digest}"

    async def _answered(self, step: Awaitable[T]) -> T:
        """The result of `step`; raises StoreError if the store does not answer."""
        with self._watched():
            return await step

    @contextmanager
    def _watched(self) -> Iterator[None]:
        began, failed = time.monotonic(), True
        try:
            yield
            failed = False
        except OutOfMemoryError as problem:
            logger.error("the store takes nothing more: %s", problem)
            raise StoreError(_FULL) from None
        except (RedisError, OSError) as problem:
            if not self._told:
                logger.error("the store does not answer: %s", str(problem) or repr(problem))
            self.answers_since, self._told = None, True
            raise StoreError(_DOWN) from None
        else:
            if self._told:
                logger.warning("the store answers again")
            if self.answers_since is None:
                self.answers_since, self._told = time.monotonic(), False
        finally:
            if self.seconds is not None:
                self.seconds(time.monotonic() - began, failed)

    async def _run(self, script: str, keys: Iterable[str], *values: Any) -> Any:
        registered = self._connection.register_script(script)
        return await self._answered(registered(keys=[*keys], args=[*values]))

    async def put(self, name: Name, value: bytes, ttl: float, within: Bounds | None = None) -> None:
        """Implements `Store.put`; the size of a value is counted as encrypted."""
        key, groups = self._key(name), within or {}
        sealed = await self._sealed.seal(key, value)
        keys = [key, *map(self._key, groups)]
        await self._run(scripts.PUT, keys, sealed, _milliseconds(ttl), *groups.values())

    async def get(self, name: Name) -> bytes | None:
        """Implements `Store.get`."""
        key = self._key(name)
        return await self._opened(key, await self._answered(self._connection.get(key)))

    async def take(self, name: Name) -> bytes | None:
        """Implements `Store.take`."""
        key = self._key(name)
        return await self._opened(key, await self._answered(self._connection.getdel(key)))

    async def _opened(self, key: str, text: bytes | None) -> bytes | None:
        return None if text is None else await self._sealed.open(key, text)

    async def delete(self, name: Name) -> None:
        """Implements `Store.delete`."""
        await self._answered(self._connection.delete(self._key(name)))

    async def replace(self, name: Name, old: bytes | None, new: bytes, ttl: float) -> bool:
        """Implements `Store.replace`."""
        key, life = self._key(name), _milliseconds(ttl)
        sealed = await self._sealed.seal(key, new)
        while True:
            text = await self._answered(self._connection.get(key))
            if await self._opened(key, text) != old:
                return False
            if text is None:
                done = await self._answered(self._connection.set(key, sealed, px=life, nx=True))
            else:
                done = await self._run(scripts.REPLACE, [key], text, sealed, life)
            if done:
                return True

    @asynccontextmanager
    async def lock(self, name: Name, lease: float, wait: float) -> AsyncIterator[None]:
        """Implements `Store.lock`."""
        key, holder = self._key(("lock", *name)), token_hex(16)
        life, until = _milliseconds(lease), time.monotonic() + wait
        while not await self._answered(self._connection.set(key, holder, px=life, nx=True)):
            if time.monotonic() >= until:
                raise busy()
            await anyio.sleep(random.uniform(0.03, 0.1))
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True), suppress(StoreError):  # else its lease ends it
                await self._run(scripts.UNLOCK, [key], holder)

    async def admit(
        self, limits: Limits, holder: str = "", lease: float | None = None
    ) -> Full | None:
        """Implements `Store.admit`.

        Without a lease, a seat is renewed while the process lives, and expires soon after it ends.
        """
        full = await self._admit(limits, holder, LEASE if lease is None else lease)
        if full is None and lease is None and limits.seats:
            self._held[holder] = [*map(self._key, limits.seats)]
        return full

    async def check(self, limits: Limits) -> Full | None:
        """Implements `Store.check`."""
        return await self._admit(limits, "", None)

    async def _admit(self, limits: Limits, holder: str, lease: float | None) -> Full | None:
        names, most = (
            [*limits.seats, *limits.rates],
            [*limits.seats.values(), *limits.rates.values()],
        )
        if not names:
            return None
        head = (holder, lease or 0, len(limits.seats), int(lease is not None))
        place, wait = await self._run(scripts.ADMIT, map(self._key, names), *head, *most)
        return Full(names[place - 1], float(wait)) if place else None

    async def leave(self, seats: Iterable[Name], holder: str) -> None:
        """Implements `Store.leave`; if this fails, the seats are freed when their lease expires."""
        self._held.pop(holder, None)
        for name in seats:
            await self._answered(self._connection.zrem(self._key(name), holder))


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
