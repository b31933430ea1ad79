"""The tasks of a server: their state, their owners, and when they expire."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import anyio

from ...values.display import visible
from ...values.errors import ToolError

if TYPE_CHECKING:
    from mcp_types import ElicitResult

POLL_MS = 1000
"""How often a client should ask."""
KEPT_BYTES = 64 * 1024 * 1024
"""While finished tasks hold more than this, no further ones are started."""


@dataclass
class Question:
    """A question that a task asks the client, and the answer once there is one."""

    request: dict[str, Any]
    answer: ElicitResult | None = None
    answered: anyio.Event = field(default_factory=anyio.Event)


class Task:
    """A tool call that continues after its request has been answered."""

    def __init__(
        self,
        owner: str,
        ttl: float,
        on_change: Callable[[Task], object],
        clock: Callable[[], float],
    ) -> None:
        self.id = token_urlsafe(24)
        self.owner = owner
        self.expires = clock() + ttl
        self._clock = clock
        self.scope = anyio.CancelScope()
        self.size = 0
        """The bytes of the result that it holds."""
        self._on_change = on_change
        self._ttl_ms = int(ttl * 1000)
        self._created = self._updated = _now()
        self._status = "working"
        self._message = ""
        self._outcome: dict[str, Any] = {}
        self._questions: dict[str, Question] = {}
        self._count = 0

    @property
    def left(self) -> float:
        """The seconds until the task is forgotten."""
        return self.expires - self._clock()

    @property
    def _ended(self) -> bool:
        return self._status in ("completed", "failed", "cancelled")

    @property
    def brief(self) -> dict[str, Any]:
        """The task without its outcome (the extension's `Task`)."""
        message = {"statusMessage": self._message} if self._message else {}
        return {
            "taskId": self.id,
            "status": self._status,
            **message,
            "createdAt": self._created,
            "lastUpdatedAt": self._updated,
            "ttlMs": self._ttl_ms,
            "pollIntervalMs": POLL_MS,
        }

    @property
    def detailed(self) -> dict[str, Any]:
        """The task with its result, its error or its questions (the extension's `DetailedTask`)."""
        requests = {key: question.request for key, question in self._questions.items()}
        return self.brief | self._outcome | ({"inputRequests": requests} if requests else {})

    async def report(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Describe the progress: with the message, or else in numbers."""
        if not self._ended:
            numbers = f"{done:g}" if total is None else f"{done:g} of {total:g}"
            self._message = visible(message or numbers)
            self._touch()

    def end(self, status: str, message: str = "", **outcome: Any) -> None:
        """End the task with a `result` (even one with `isError`) or with a JSON-RPC `error`."""
        if not self._ended:
            self._status, self._message, self._outcome = status, message, outcome
            self._questions.clear()
            self._touch()

    def cancel(self) -> None:
        """End the task and its work; if it has ended already, nothing changes."""
        self.end("cancelled")
        self.scope.cancel()

    async def ask(self, request: dict[str, Any], key: str | None) -> ElicitResult:
        """Ask the client a question and wait for the answer; a number makes `key` unique."""
        self._count += 1
        name = f"{key or 'question'}-{self._count}"
        question = self._questions[name] = Question(request)
        self._wait_or_work()
        try:
            await question.answered.wait()
        finally:
            self._questions.pop(name, None)
            self._wait_or_work()
        assert question.answer is not None
        return question.answer

    def answer(self, key: str, answer: ElicitResult) -> None:
        """Answer the open question with that key; does nothing if there is none."""
        question = self._questions.pop(key, None)
        if question is not None:
            question.answer = answer
            question.answered.set()
            self._wait_or_work()

    def _wait_or_work(self) -> None:
        if not self._ended:
            self._status = "input_required" if self._questions else "working"
            self._touch()

    def _touch(self) -> None:
        self._updated = _now()
        self._on_change(self)


class TaskStore:
    """All tasks that have not expired, the oldest first."""

    def __init__(
        self,
        ttl: float,
        most: int,
        variable: str,
        on_change: Callable[[Task], object] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`most` is the largest number of tasks at a time, and `variable` the setting for it."""
        self._ttl = ttl
        self._most = most
        self._variable = variable
        self._on_change = on_change
        self._clock = clock
        self._tasks: dict[str, Task] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def create(self, owner: str) -> Task:
        """A new task; one identified owner may hold at most half of the allowed tasks.

        Raises:
            ToolError: there are too many tasks.
        """
        self.forget()
        own = [task for task in self._tasks.values() if owner and task.owner == owner]
        self._check(own, 2, "You have as many {} as one caller may have")
        self._check(self._tasks.values(), 1, "This server has as many {} as are allowed")
        task = Task(owner, self._ttl, self._on_change, self._clock)
        self._tasks[task.id] = task
        return task

    def _check(self, tasks: Collection[Task], share: int, message: str) -> None:
        size = sum(task.size for task in tasks)
        if len(tasks) * share >= self._most or size * share > KEPT_BYTES:
            text = message.format("long operations under way or on record")
            raise ToolError(
                f"{text}. Try again later. (The server's operator can raise {self._variable}.)"
            )

    def find(self, task_id: str, owner: str) -> Task | None:
        """The owner's task with that id; None if the owner has no such task."""
        self.forget()
        task = self._tasks.get(task_id)
        return task if task is not None and task.owner == owner else None

    def detailed(self, task_id: str) -> dict[str, Any] | None:
        """The state of the task with that id, whoever owns it; None if there is no such task."""
        task = self._tasks.get(task_id)
        return None if task is None else task.detailed

    def forget(self) -> None:
        """Remove expired tasks, and stop their work."""
        now = self._clock()
        while self._tasks and (task := next(iter(self._tasks.values()))).expires <= now:
            del self._tasks[task.id]
            task.cancel()

    def drop(self, task: Task) -> None:
        """Remove a task whose work has not begun."""
        self._tasks.pop(task.id, None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
