"""A client's side of tasks, for one call from the command line: it waits for a task to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import anyio
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Request, Result

from .task_store import ENDED
from .tasks import EXTENSION, TaskParams

_BETWEEN = 0.05
"""Seconds between questions: the server is in this process."""


class _Started(Result):
    """The answer to a call that goes on as a task."""

    result_type: Literal["task"] = "task"
    task_id: str


class _Found(Result):
    """How a task stands."""

    status: str
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _Get(Request[TaskParams, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    params: TaskParams

    name_param = "taskId"


class Waiting(ClientExtension):
    """Declares that the client knows tasks, and gives the result that one ends with."""

    identifier = EXTENSION

    def claims(self) -> Sequence[ResultClaim[Any]]:
        """The answer that is a task."""
        return [ResultClaim(result_type="task", model=_Started, resolve=_ended)]


async def _ended(started: _Started, context: ClaimContext) -> CallToolResult:
    asked = _Get(params=TaskParams(task_id=started.task_id))
    while (found := await context.session.send_request(asked, _Found)).status not in ENDED:
        await anyio.sleep(_BETWEEN)
    if found.result is None:
        error = found.error or {"code": 0, "message": "The task was cancelled"}
        raise MCPError(**error)
    return CallToolResult.model_validate(found.result)
