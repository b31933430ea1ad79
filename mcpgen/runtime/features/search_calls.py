"""A call that came through one of the calling tools, and the pages that it asks for."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError

from ..results.content import error_result
from .search_pages import Joined, Rule

if TYPE_CHECKING:
    from ..values.settings import Settings


@dataclass
class Via:
    """A call that came through one of the calling tools."""

    effect: str
    """What the calling tool is for: read or write."""
    fields: Sequence[str] = ()
    pages: int = 1
    rule: Rule | None = None
    """How the tool has pages, where several were asked for."""
    following: Mapping[str, Any] | None = None
    """The arguments of the page after the one that was answered."""
    refusal: str = ""
    """Why the call as such cannot be made."""
    arrived: bool = field(default=False, repr=False)
    """It got as far as the check of its arguments."""
    accepted: bool = field(default=False, repr=False)
    """Its arguments were taken."""


VIA: ContextVar[Via | None] = ContextVar("via", default=None)
"""The call that is being answered, where it came through one."""


async def further(
    call: Callable[[Mapping[str, Any]], Awaitable[Any]],
    via: Via,
    params: Mapping[str, Any],
    result: dict[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The pages after the first result, each a `call` of its own, joined to it."""
    assert via.rule is not None
    joined = Joined(via.rule, settings.max_result_bytes, result)
    until = time.monotonic() + settings.timeout
    stopped = ""
    while via.following is not None and joined.pages < via.pages and not stopped:
        following, via.following = via.following, None
        stopped = joined.refused(following)
        if not stopped and time.monotonic() > until:
            stopped = "the time for one call is over"
        if not stopped:
            arguments = {**params["arguments"], **following}
            kept = {key: params[key] for key in ("_meta",) if key in params}
            page = await _page(call, {**kept, "name": params["name"], "arguments": arguments})
            stopped = joined.add(page)
        if stopped:
            via.following = following
    return joined.finished(via.following, stopped)


async def _page(
    call: Callable[[Mapping[str, Any]], Awaitable[Any]], params: Mapping[str, Any]
) -> dict[str, Any]:
    try:
        return dict(await call(params))
    except MCPError as problem:
        return error_result(problem.message)
