"""The tasks of a server: their state, who may see them, and when they expire."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import anyio

from ..values.display import visible
from ..values.errors import ToolError

if TYPE_CHECKING:
    from mcp_types import ElicitResult

POLL_MS = 1000
"""How often a client should ask."""
KEPT_BYTES = 64 * 1024 * 1024
"""While finished tasks hold more than this, no further ones are started."""

ENDED = ("completed", "failed", "cancelled")


class Task:
    """A call that outlives its request."""

    def __init__(
        self, owner: str, ttl: float, expires: float, on_change: Callable[[Task], object]
    ) -> None:
        self.id = token_urlsafe(24)
        self.owner = owner
        self.expires = expires
        self.scope = anyio.CancelScope()
        self.size = 0
        self._on_change = on_change
        self._ttl_ms = int(ttl * 1000)
        self._created = self._updated = _now()
        self._status = "working"
        self._message = ""
        self._outcome: dict[str, Any] = {}
        self._questions: dict[str, Question] = {}
        self._asked = 0

    @property
    def ended(self) -> bool:
        """Whether the task has ended."""
        return self._status in ENDED

    @property
    def brief(self) -> dict[str, Any]:
        """The task without its outcome (`Task`)."""
        said = {"statusMessage": self._message} if self._message else {}
        return {
            "taskId": self.id,
            "status": self._status,
            **said,
            "createdAt": self._created,
            "lastUpdatedAt": self._updated,
            "ttlMs": self._ttl_ms,
            "pollIntervalMs": POLL_MS,
        }

    @property
    def detailed(self) -> dict[str, Any]:
        """The task with its result, its error or its questions (`DetailedTask`)."""
        asked = {key: question.request for key, question in self._questions.items()}
        return self.brief | self._outcome | ({"inputRequests": asked} if asked else {})

    def say(self, message: str) -> None:
        """Describe the progress in words."""
        if not self.ended:
            self._message = visible(message)
            self._touch()

    async def report(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Describe the progress in numbers."""
        self.say(message or (f"{done:g}" if total is None else f"{done:g} of {total:g}"))

    def complete(self, result: dict[str, Any]) -> None:
        """End with the result of the call, even one with `isError`."""
        self._end("completed", {"result": result}, "")

    def fail(self, code: int, message: str, data: Any = None) -> None:
        """End with a JSON-RPC error."""
        error = {"code": code, "message": message} | ({} if data is None else {"data": data})
        self._end("failed", {"error": error}, message)

    def cancel(self) -> None:
        """End the task and its work."""
        self._end("cancelled", {}, "")
        self.scope.cancel()

    async def ask(self, request: dict[str, Any], key: str | None) -> ElicitResult:
        """Wait for the answer to a question; its key is never used again."""
        self._asked += 1
        name = f"{key or 'question'}-{self._asked}"
        asked = self._questions[name] = Question(request)
        self._wait_or_work()
        try:
            await asked.answered.wait()
        finally:
            self._questions.pop(name, None)
            self._wait_or_work()
        assert asked.answer is not None
        return asked.answer

    def answer(self, answers: dict[str, ElicitResult]) -> None:
        """Give answers to the questions that wait; others are ignored."""
        for key, answer in answers.items():
            if asked := self._questions.pop(key, None):
                asked.answer = answer
                asked.answered.set()
                self._wait_or_work()

    def _wait_or_work(self) -> None:
        if not self.ended:
            self._status = "input_required" if self._questions else "working"
            self._touch()

    def _end(self, status: str, outcome: dict[str, Any], message: str) -> None:
        if not self.ended:
            self._status, self._outcome, self._message = status, outcome, message
            self._questions.clear()
            self._touch()

    def _touch(self) -> None:
        self._updated = _now()
        self._on_change(self)


class Question:
    """A request to the client that waits for an answer."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.answer: ElicitResult | None = None
        self.answered = anyio.Event()


class TaskStore:
    """All tasks that have not expired; the oldest first."""

    def __init__(
        self,
        ttl: float,
        most: int,
        variable: str,
        on_change: Callable[[Task], object] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`variable` is what the operator sets to have more than `most` tasks at a time."""
        self._ttl = ttl
        self._most = most
        self._variable = variable
        self._on_change = on_change
        self._clock = clock
        self._tasks: OrderedDict[str, Task] = OrderedDict()
        self._kept = 0

    def __len__(self) -> int:
        return len(self._tasks)

    def create(self, owner: str) -> Task:
        """A new task; a known owner may have half of them at most.

        Raises:
            ToolError: there are too many.
        """
        self.forget()
        own = [task for task in self._tasks.values() if owner and task.owner == owner]
        if len(own) * 2 >= self._most or sum(task.size for task in own) * 2 > KEPT_BYTES:
            raise ToolError(
                "You have as many long operations under way or on record as one caller may have. "
                f"Try again later. (The server's operator can raise {self._variable}.)"
            )
        if len(self._tasks) >= self._most or self._kept > KEPT_BYTES:
            raise ToolError(
                "This server has as many long operations under way or on record as it may have. "
                f"Try again later. (Its operator can raise {self._variable}.)"
            )
        task = Task(owner, self._ttl, self._clock() + self._ttl, self._on_change)
        self._tasks[task.id] = task
        return task

    def find(self, known: str, owner: str) -> Task | None:
        """The owner's task with that id; None if there is none, or it is another owner's."""
        self.forget()
        task = self._tasks.get(known)
        return task if task is not None and task.owner == owner else None

    def detailed(self, known: str) -> dict[str, Any] | None:
        """How the task of that id stands, whoever's it is; None where there is none."""
        task = self._tasks.get(known)
        return None if task is None else task.detailed

    def keep(self, task: Task, size: int) -> None:
        """Count the bytes of a result that the task holds from now on."""
        if task.id in self._tasks:
            task.size = size
            self._kept += size

    def forget(self) -> None:
        """Drop expired tasks, and stop their work."""
        now = self._clock()
        while self._tasks and (task := next(iter(self._tasks.values()))).expires <= now:
            self._tasks.popitem(last=False)
            self._kept -= task.size
            task.cancel()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
