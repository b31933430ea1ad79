"""One `tools/call`: check the arguments, run the handler, map its answer or failure."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import InputRequiredResult

from ..backend.client import ApiClient
from ..backend.observing import Report
from ..backend.response import FinalResult, Response
from ..backend.threads import aside, size_of
from ..results.content import Result, error_result, to_result
from ..results.limits import ResultLimit
from ..results.revisions import result_for, summarized
from ..values.display import visible
from ..values.errors import DRY_RUN, DryRun, ProtocolError, ToolError, is_failure
from ..values.seams import ASKING, lacking
from .caller import Caller
from .catalogue import Catalogue
from .context import Context, InputNeeded

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, InputResponseRequestParams

    from ..backend.session import Backend
    from ..credentials.api import Api
    from ..schemas.validation import ArgumentValidator

logger = logging.getLogger(__name__)

BEAT = 20.0
"""Seconds after which a call that asked for progress is told that it still runs."""
_SMALLEST_STEP = 1e-6
"""What such news are further than the last: less than anything that is counted."""

Serve = Callable[[Context, Mapping[str, Any]], Awaitable[Any]]
"""A handler, or what a part puts around it."""


async def call_tool(
    catalogue: Catalogue, request: ServerRequestContext[Any], params: CallToolRequestParams
) -> Result:
    """Answer a `tools/call` request.

    Raises:
        MCPError: the tool is unknown, or the handler raised ProtocolError.
    """
    tool, access = catalogue.get(params.name), request.lifespan_context.access
    if tool is None or not access.is_on(request.request, params.name):
        raise access.unknown_tool(request.request, params.name)
    try:
        notes: list[str] = []
        work = _served(catalogue, request, tool, params, notes)
        result = await settled(work, tool, request.lifespan_context.backend)
        if notes and "content" in result:
            told = {"type": "text", "text": " ".join(notes)}
            result = {**result, "content": [*result["content"], told]}
        result = result_for(request.protocol_version, result)
    except InputNeeded as question:
        return question.result
    if request.lifespan_context.backend.settings.result_text == "summary":
        return summarized(request.protocol_version, result)
    return result


async def settled(work: Awaitable[Any], tool: Mapping[str, Any], backend: Backend) -> Result:
    """Await a handler, and turn its return value or exception into an MCP result.

    Raises:
        MCPError: as in `call_tool`.
    """
    try:
        value = await work
        size = len(value.content) if isinstance(value, Response) else 0
        return await aside(size, partial(_mapped, value, tool, backend))
    except BaseException as raised:
        return _failed(tool["name"], leaf(raised))


def _failed(name: str, problem: BaseException) -> Result:
    match problem:
        case ToolError():
            logger.info("%s: %s", name, problem.message)
            return error_result(problem.message)
        case DryRun():
            return {**error_result(problem.message), "_meta": {DRY_RUN: True}}
        case ProtocolError():
            raise MCPError(code=problem.code, message=problem.message) from None
        case MCPError() | InputNeeded():
            raise problem
        case _ if is_failure(problem):
            logger.error("%s: the call failed inside this server", name, exc_info=problem)
            return error_result(
                f"The tool {name} failed inside this server; the reason is in the server's log. "
                "Calling again with the same arguments is unlikely to help."
            )
        case _:
            raise problem


def leaf(raised: BaseException) -> BaseException:
    """The exception inside exception groups, which arise in a handler's own tasks."""
    if not isinstance(raised, BaseExceptionGroup):
        return raised
    leaves = [leaf(each) for each in raised.exceptions]
    meant = (DryRun, ToolError, ProtocolError, MCPError, InputNeeded)
    return next((each for each in leaves if isinstance(each, meant)), leaves[0])


async def _served(
    catalogue: Catalogue,
    request: ServerRequestContext[Any],
    tool: Mapping[str, Any],
    params: CallToolRequestParams,
    notes: list[str],
) -> Any:
    """Check the arguments and run the handler; notes on the arguments are added to `notes`."""
    name = tool["name"]
    validator = catalogue.validator(name)
    values = params.arguments or {}
    size = size_of(values)
    arguments = await aside(size, partial(validator.check, values))
    if any(isinstance(value, (dict, list)) for value in arguments.values()):
        from ..schemas import undeclared

        note = await aside(size, partial(undeclared.note, arguments, tool["inputSchema"]))
        notes += filter(None, [note])
    context = context_of(request, name, params, validator)
    serve: Serve = catalogue.handler(name)
    for part in request.lifespan_context.parts.values():
        if wrap := getattr(part, "wrap", None):
            serve = wrap(tool, serve)
    with _kept_alive(context.api.report, request.meta):
        return await serve(context, arguments)


@contextmanager
def _kept_alive(report: Report | None, meta: Any) -> Iterator[None]:
    """Send progress at intervals while the block runs, if the call asked for progress.

    Many clients give up after a minute of silence.
    """
    wants = not {"progressToken", "progress_token"}.isdisjoint(meta or ())
    if not (wants and isinstance(report, CallProgress)):
        yield
        return
    beating = asyncio.create_task(report.beat())
    try:
        yield
    finally:
        beating.cancel()


def context_of(
    request: ServerRequestContext[Any],
    name: str,
    params: InputResponseRequestParams,
    validator: ArgumentValidator | None = None,
    report: Report | None = None,
) -> Context:
    """The context for running the tool, resource or prompt called `name`.

    `report` replaces the client's own progress if a handler reads a resource within its call.
    """
    session = request.lifespan_context
    caller, who = getattr(request.request, "headers", None), Caller.of(request.request)
    report = report or CallProgress(request.session.report_progress)
    return Context(
        api=ApiClient(session.backend, name, report, caller, who),
        state=session.state,
        tool=name,
        request=request,
        params=params,
        validator=validator,
        apis={k: ApiClient(b, name, report, caller, who) for k, b in session.further.items()},
    )


def _mapped(value: Any, tool: Mapping[str, Any], backend: Backend) -> Result:
    if isinstance(value, FinalResult):
        return value.result
    if isinstance(value, InputRequiredResult) and not backend.seals:
        raise ToolError(lacking(ASKING, "seals the questions that clients send back"))
    value = shaped(value, backend.api, tool["name"])
    limit = ResultLimit.of(backend.settings, backend.api, tool)
    if isinstance(value, Response):
        return to_result(value, tool, limit)
    from ..results.returned import from_handler

    return from_handler(value, tool, limit)


def shaped(value: Any, api: Api, tool: str) -> Any:
    """The handler's result, reduced to the fields that the tool may show."""
    shape = api.shapes.get(tool)
    return value if shape is None else shape.of_returned(value)


class CallProgress:
    """Sends a call's progress to its client; numbers that do not grow are left out.

    Each number must be greater than the one before, whoever reports it: a handler, a download that
    is started a second time, or an operation that the API finishes later.
    """

    def __init__(self, tell: Report) -> None:
        self._tell = tell
        self._last = -math.inf
        self._total: float | None = None

    async def __call__(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report a number; it is sent only if the client asked for progress."""
        if math.isfinite(done) and done > self._last:
            self._last = done
            whole = None if total is None or not math.isfinite(total) else total
            self._total = whole
            await self._tell(done, whole, None if message is None else visible(message))

    async def beat(self) -> None:
        """Send a sign of life after each `BEAT` seconds without other progress."""
        seconds = 0.0
        while True:
            before = self._last
            await asyncio.sleep(BEAT)
            seconds += BEAT
            if self._last == before:
                further = 0.0 if before == -math.inf else before + _SMALLEST_STEP
                await self(further, self._total, f"still working after {seconds:.0f} seconds")
