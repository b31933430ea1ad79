"""Long operations: the extension `io.modelcontextprotocol/tasks`.

A call of a tool in `tasks.json` is answered with a task if the client declares the extension in
that request. The work then continues, and the client asks for its result. Other clients wait until
the work is done; if `tasks.json` says `required` for the tool, their calls are refused.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from ...backend.observing import OBSERVED
from ...backend.response import FinalResult, headers_of
from ...calls.caller import owner_of
from ...calls.catalogue import read_json
from ...calls.context import Context, Reply
from ...calls.server import ServerParts
from ...values.errors import ToolError
from .. import listening
from ..asking import answered, can_ask, cannot_ask, form, question
from ..listening import Kind, Listening, Topic
from .settings import TaskSettings
from .store import Task, TaskStore

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import LoggingLevel

    from ...calls.calls import Serve

EXTENSION = "io.modelcontextprotocol/tasks"
_METHOD = "notifications/tasks"
_DONE = {"resultType": "complete"}
_SWEEP_SECONDS = 60.0
"""Seconds between looks for tasks that nobody asked for any more."""


class TaskParams(types.RequestParams):
    """The parameters of `tasks/get` and `tasks/cancel`."""

    task_id: str


class UpdateParams(TaskParams):
    """The parameters of `tasks/update`."""

    input_responses: dict[str, Any]


@dataclass(frozen=True)
class TaskContext(Context):
    """The context of a call whose request has been answered with a task."""

    task: Task = field(kw_only=True)

    async def log(self, level: LoggingLevel, data: Any, logger: str | None = None) -> None:
        """Do nothing: a task has no stream on which a client would read its log."""

    async def ask(self, message: str, schema: Mapping[str, Any], key: str | None = None) -> Reply:
        """Ask the user as in a call without a task; several questions may be open at once."""
        params = form(message, schema)
        if not can_ask(self.client_capabilities):
            raise cannot_ask()
        return answered(await self.task.ask(question(params), key), schema)


class Tasks:
    """The tasks of one server."""

    def __init__(self, parts: ServerParts, listeners: Listening) -> None:
        settings = parts.settings_of(TaskSettings)
        variable = f"{parts.api.env_prefix}_MAX_TASKS"

        self._shared: Any = getattr(parts.parts.get("store"), "shared_tasks", None)
        """What replicas tell each other of their tasks, where they do."""

        def on_change(task: Task) -> None:
            if self._shared:
                self._shared.changed(task)
            listeners.changed(Topic(_METHOD, task.id))

        self._bounds = (settings.task_ttl, settings.max_tasks, variable)
        self._told = lambda task_id: listeners.changed(Topic(_METHOD, task_id))
        self.store = TaskStore(*self._bounds, on_change)
        self.start = True
        """False: every call waits for its work, as the command line's does."""
        self._support: Mapping[str, str] = read_json(parts.package, "tasks.json")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[TaskGroup]:
        """Keep the task group in which all tasks run open; when the server stops, cancel the
        tasks.
        """
        async with anyio.create_task_group() as group:
            group.start_soon(self._sweep)
            if self._shared:
                group.start_soon(self._shared.run, self._told, _answer)
            try:
                yield group
            finally:
                if self._shared:
                    with anyio.CancelScope(shield=True):
                        await self._shared.close()
            group.cancel_scope.cancel()

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """A handler that starts a task instead of waiting, if tool and client allow tasks."""
        support = self._support.get(tool["name"])
        if support is None or not self.start:
            return serve

        async def started(context: Context, arguments: Mapping[str, Any]) -> Any:
            if _declares(context.request):
                return await self._start(tool, serve, context, arguments)
            if support == "required":
                raise _undeclared()
            return await serve(context, arguments)

        return started

    async def get(self, request: ServerRequestContext[Any], params: TaskParams) -> dict[str, Any]:
        """Answer `tasks/get`."""
        detailed: dict[str, Any] = (await self._find(request, params)).detailed
        return _DONE | detailed

    async def update(
        self, request: ServerRequestContext[Any], params: UpdateParams
    ) -> dict[str, Any]:
        """Answer `tasks/update`; answers to questions that are not open are ignored."""
        task = await self._find(request, params)
        if isinstance(task, Task):
            _answer(task, params.input_responses)
        else:
            await _from_store(task.say(params.input_responses))
        return dict(_DONE)

    async def cancel(
        self, request: ServerRequestContext[Any], params: TaskParams
    ) -> dict[str, Any]:
        """Answer `tasks/cancel`; a task that has ended stays as it is."""
        task = await self._find(request, params)
        if isinstance(task, Task):
            task.cancel()
        else:
            await _from_store(task.say(None))
        return dict(_DONE)

    async def may_hear(self, request: ServerRequestContext[Any], task: str) -> bool:
        """Whether a task belongs to the caller."""
        owner = owner_of(request)
        if self.store.find(task, owner) is not None:
            return True
        return bool(self._shared and await self._shared.hear(task, owner))

    def detailed(self, task_id: str) -> dict[str, Any] | None:
        """The state of a task, for clients that listen to it; None if there is no such task."""
        own = self.store.detailed(task_id)
        return self._shared.heard(task_id) if own is None and self._shared else own

    async def _find(self, request: ServerRequestContext[Any], params: TaskParams) -> Any:
        """The task, of this process or of another replica; raises MCPError."""
        if request.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", request.method)
        if not _declares(request):
            raise _undeclared()
        name = headers_of(request).get("mcp-name")
        if name is not None and decode_header_value(name) != params.task_id:
            message = "mcp-name header does not match the request body's 'taskId' parameter"
            raise MCPError(types.HEADER_MISMATCH, message)
        owner = owner_of(request)
        task: Any = self.store.find(params.task_id, owner)
        if self._shared and task is None:
            task = await _from_store(self._shared.find(params.task_id, owner))
        elif self._shared:
            await _from_store(self._shared.saved(task))
        if task is None:
            raise MCPError(types.INVALID_PARAMS, "This task does not exist, or has expired")
        return task

    async def _start(
        self, tool: Mapping[str, Any], serve: Serve, context: Context, arguments: Mapping[str, Any]
    ) -> FinalResult:
        from ...calls.calls import settled

        task = self.store.create(owner_of(context.request))
        if self._shared:
            try:
                await self._shared.create(task, *self._bounds)
            except ToolError:
                self.store.drop(task)
                raise
        session = context.request.lifespan_context
        apis = {
            "api": context.api.telling(task.report),
            "apis": {name: api.telling(task.report) for name, api in context.apis.items()},
        }
        values = {spec.name: getattr(context, spec.name) for spec in fields(Context)}
        inner = TaskContext(**{**values, **apis}, task=task)
        observed = OBSERVED.get()
        if observed is not None:
            observed.goes_on = True

        async def run() -> None:
            outcome = "cancelled"
            try:
                with task.scope:
                    outcome = await _run(
                        task, settled(serve(inner, arguments), tool, session.backend)
                    )
            finally:
                if observed is not None:
                    observed.on_end(outcome)

        session.running["tasks"].start_soon(run)
        return FinalResult({"resultType": "task", **task.brief})

    async def _sweep(self) -> None:
        while True:
            await anyio.sleep(_SWEEP_SECONDS)
            self.store.forget()


async def _from_store(step: Awaitable[Any]) -> Any:
    """The result of `step`; raises MCPError if the store cannot be reached."""
    try:
        return await step
    except ToolError as problem:
        raise MCPError(types.INTERNAL_ERROR, problem.message) from None


def _answer(task: Task, responses: Mapping[str, Any]) -> None:
    """Answer the task's questions with the client's responses; other responses are ignored."""
    for key, value in responses.items():
        with suppress(ValidationError):
            task.answer(key, types.ElicitResult.model_validate(value))


async def _run(task: Task, work: Awaitable[dict[str, Any]]) -> str:
    """Do the work of a task; returns its outcome for the audit log."""
    try:
        result = await work
        if result.get("resultType") == "input_required":
            raise MCPError(
                types.INTERNAL_ERROR, "A handler that runs as a task must ask with ctx.ask"
            )
    except MCPError as problem:
        error = problem.error.model_dump(exclude_none=True)
        task.end("failed", problem.error.message, error=error)
        return "refused"
    task.size = len(json.dumps(result))
    task.end("completed", result=_DONE | result)
    return "error" if result.get("isError") else "ok"


async def _listening(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """A middleware that lets only clients with the tasks extension listen to tasks."""
    if ctx.method == "subscriptions/listen" and not _declares(ctx):
        notifications = (ctx.params or {}).get("notifications")
        if isinstance(notifications, Mapping) and notifications.get("taskIds"):
            raise _undeclared()
    return await call_next(ctx)


def _declares(request: ServerRequestContext[Any]) -> bool:
    """Whether the client of a request declares the tasks extension."""
    capabilities = request.session.client_capabilities
    extensions = capabilities.extensions if capabilities is not None else None
    modern = request.protocol_version in MODERN_PROTOCOL_VERSIONS
    return modern and extensions is not None and EXTENSION in extensions


def _undeclared() -> MCPError:
    message = f"The client did not declare the extension {EXTENSION}"
    required: dict[str, Any] = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
    return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, required)


def install(parts: ServerParts) -> Tasks:
    """Let a server answer calls with tasks, and serve the methods of MCP's tasks extension."""
    server = parts.server
    listeners = listening.of(server)
    tasks = Tasks(parts, listeners)
    listeners.add(Kind("taskIds", _METHOD, tasks.may_hear, tasks.detailed, has_state=True))
    server.extensions[EXTENSION] = {}
    server.middleware.append(_listening)
    server.add_request_handler("tasks/get", TaskParams, tasks.get)
    server.add_request_handler("tasks/update", UpdateParams, tasks.update)
    server.add_request_handler("tasks/cancel", TaskParams, tasks.cancel)
    return tasks
