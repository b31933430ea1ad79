"""Tasks that every replica can report.

One replica runs a task; the others read its state and pass on answers to its questions.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import anyio

from ...calls.store import Limits, Name, StoreError
from ...values.errors import ToolError

if TYPE_CHECKING:
    from .redis import RedisStore

_POLL_SECONDS = 1.0
"""Seconds between looks at what others say of the tasks that run here."""
_LEASE_SECONDS = 15.0
"""Seconds after which a replica that says nothing has ended."""
_ENDED = ("completed", "failed", "cancelled")
_LOST = "The server's process ended before this task did."


def _record(task: Any) -> Name:
    return ("task", task.owner, task.id)


class SharedTasks:
    """The tasks of all replicas, in a shared store.

    Those that this process runs are `Task`s of the part `tasks`.
    """

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._replica = token_hex(8)
        self._unsaved: dict[str, Any] = {}
        """Tasks of this replica that stand otherwise than the store says."""
        self._live: dict[str, Any] = {}
        """Those of this replica that have not ended."""
        self._heard: dict[str, tuple[Name, dict[str, Any]]] = {}
        """Tasks of others that clients of this replica listen to, as they last stood."""
        self._news = anyio.Event()
        self._saving = anyio.Lock()

    async def create(self, task: Any, ttl: float, most: int, variable: str) -> None:
        """Store a new task.

        Raises:
            ToolError: there are too many tasks, or this one cannot be kept.
        """
        seats: dict[Name, int] = {("tasks",): most}
        if task.owner:
            seats["tasks", task.owner] = max(1, most // 2)
        full = await self._store.admit(Limits(seats), task.id, ttl)
        if full is not None:
            whose = "You have" if len(full.name) > 1 else "This server has"
            raise ToolError(
                f"{whose} as many long operations under way or on record as are allowed. Try "
                f"again later. (The server's operator can raise {variable}.)"
            )
        try:
            await self._save(task)
        except BaseException:  # it does not begin, and nothing of it stays
            self._unsaved.pop(task.id, None)
            with anyio.CancelScope(shield=True), suppress(StoreError):
                await self._store.leave(seats, task.id)
            raise
        self._live[task.id] = task

    def changed(self, task: Any) -> None:
        """Note that one of this replica's tasks has a new state."""
        if task.id in self._live:
            self._unsaved[task.id] = task
            self._news.set()

    async def saved(self, task: Any) -> None:
        """Save the state of one of this replica's tasks; raises StoreError."""
        if task.id in self._unsaved:
            await self._save(task)

    async def _save(self, task: Any) -> None:
        async with self._saving:  # an older state must not come later
            self._unsaved.pop(task.id, None)
            detailed = task.detailed
            value = json.dumps({"replica": self._replica, "task": detailed}).encode()
            try:
                await self._store.put(_record(task), value, max(task.left, 1.0))
            except BaseException:
                self._unsaved[task.id] = task
                raise
        if detailed["status"] in _ENDED:
            self._live.pop(task.id, None)

    async def find(self, task_id: str, owner: str) -> Remote | None:
        """A task of another replica; None if the owner has no task with that id.

        Raises:
            StoreError: the store cannot be reached.
        """
        name: Name = ("task", owner, task_id)
        value = await self._store.get(name)
        if value is None:
            return None
        record = json.loads(value)
        task = record["task"]
        if task["status"] not in _ENDED and await self._is_lost(record["replica"]):
            error = {"code": -32603, "message": _LOST}
            task = {**task, "status": "failed", "statusMessage": _LOST, "error": error}
            task.pop("inputRequests", None)
            new = json.dumps({**record, "task": task}).encode()
            if not await self._store.replace(name, value, new, task["ttlMs"] / 1000):
                return await self.find(task_id, owner)
        return Remote(self._store, name, task)

    async def _is_lost(self, replica: str) -> bool:
        """Whether a replica gave no sign of life for some time although the store was reachable."""
        since = self._store.answers_since
        if since is None or time.monotonic() - since < _LEASE_SECONDS:
            return False
        return await self._store.get(("replica", replica)) is None

    def heard(self, task_id: str) -> dict[str, Any] | None:
        """The last known state of another replica's task, if a client here listens to the task."""
        known = self._heard.get(task_id)
        return known and known[1]

    async def hear(self, task_id: str, owner: str) -> bool:
        """Listen to a task of another replica; return False if the owner has no such task."""
        with suppress(StoreError):
            if (task := await self.find(task_id, owner)) is not None:
                self._heard[task_id] = (task.name, task.detailed)
                return True
        return False

    async def run(self, changed: Callable[[str], object], answer: Callable[..., object]) -> None:
        """Exchange changes with the other replicas as long as the server runs.

        `changed` receives the id of a changed task of another replica; `answer` receives a task of
        this replica and the client's answers to its questions.
        """
        while True:
            with suppress(StoreError):
                await self._exchange(changed, answer)
            with anyio.move_on_after(_POLL_SECONDS):
                await self._news.wait()
            self._news = anyio.Event()

    async def _exchange(
        self, changed: Callable[[str], object], answer: Callable[..., object]
    ) -> None:
        for task in [*self._unsaved.values()]:
            await self._save(task)
        if self._live:
            await self._store.put(("replica", self._replica), b"", _LEASE_SECONDS)
        for task in [*self._live.values()]:
            for said in json.loads(await self._store.take(("said", task.id)) or b"[]"):
                task.cancel() if said is None else answer(task, said)
        for task_id, (name, before) in [*self._heard.items()]:
            now = await self.find(task_id, name[1])
            if now is None or now.detailed["status"] in _ENDED:
                del self._heard[task_id]
            else:
                self._heard[task_id] = (name, now.detailed)
            if now is not None and now.detailed != before:
                self._heard[task_id] = (name, now.detailed)
                changed(task_id)

    async def close(self) -> None:
        """Record this replica's tasks as failed in the store, because its process stops."""
        for task in [*self._live.values()]:
            task.end("failed", _LOST, error={"code": -32603, "message": _LOST})
            with suppress(StoreError):
                await self._save(task)


class Remote:
    """A task that another replica runs or has run."""

    def __init__(self, store: RedisStore, name: Name, detailed: dict[str, Any]) -> None:
        self._store = store
        self.name = name
        self.detailed = detailed

    async def say(self, said: Mapping[str, Any] | None) -> None:
        """Send the client's answers to the replica that runs the task; None cancels the task.

        Raises:
            StoreError: the store cannot be reached.
        """
        name: Name = ("said", self.name[2])
        while self.detailed["status"] not in _ENDED:
            before = await self._store.get(name)
            after = json.dumps([*json.loads(before or b"[]"), said]).encode()
            if await self._store.replace(name, before, after, self.detailed["ttlMs"] / 1000):
                return
