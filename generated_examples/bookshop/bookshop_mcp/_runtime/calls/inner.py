"""Calls between handlers: the rules of the called tool apply to these calls too.

The called tool's switches, scopes and limits apply as if the agent had called it, and the answer
holds only the fields that agents may see. Arguments are not checked, since they come from code,
which type checkers cover.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..values.arguments import UNSET
from ..values.errors import ToolError

if TYPE_CHECKING:
    from .context import Context

_REST = "*"


def argument_of(mark: str) -> str | None:
    """The argument name in a value of `@tool`'s `arguments`; None for `*` (all remaining
    arguments).
    """
    if mark == _REST:
        return None
    return mark[:-1] if mark and not mark.strip(_REST) else mark


def callable_by_others(
    name: str, handler: Callable[..., Any], renames: Mapping[str, str]
) -> Callable[..., Any]:
    """The handler of a tool, made so that other handlers can call it with their own context."""

    @wraps(handler)
    async def awaited(*args: Any, **given: Any) -> Any:
        context = args[0] if args else given.pop(handler.__code__.co_varnames[0])
        call = _call(context, name, renames, given)
        for admission in call.admissions:
            await admission
        return call.shown(await handler(call.context, *args[1:], **given))

    @wraps(handler)
    def plain(*args: Any, **given: Any) -> Any:
        context = args[0] if args else given.pop(handler.__code__.co_varnames[0])
        call = _call(context, name, renames, given)
        for admission in call.admissions:
            _finish(admission)
        value = handler(call.context, *args[1:], **given)
        return call.later(value) if hasattr(value, "__await__") else call.shown(value)

    return awaited if iscoroutinefunction(handler) else plain


@dataclass(frozen=True)
class _Call:
    """One call of a handler: by the server, or by another handler."""

    context: Context
    shape: Any = None
    admissions: tuple[Coroutine[Any, Any, None], ...] = ()
    """What is to be awaited first, and may refuse it."""

    def shown(self, value: Any) -> Any:
        """The handler's result, with only the parts that the caller may see."""
        return value if self.shape is None else self.shape.of_returned(value)

    async def later(self, value: Awaitable[Any]) -> Any:
        """Await a result and return the part of it that the caller may see."""
        return self.shown(await value)


def _call(
    context: Context, name: str, renames: Mapping[str, str], given: Mapping[str, Any]
) -> _Call:
    """The call of a tool's handler; `given` are its keyword arguments.

    Raises:
        ToolError: another handler calls a tool that the agent may not call.
    """
    serving = getattr(context, "serves", None)
    if not serving:  # in a test by hand the context may be anything
        return _Call(context if serving is None else replace(context, serves=name))
    session = context.request.lifespan_context
    tool = session.catalogue.get(name)
    if tool is None:  # a function that is no tool's any more
        return _Call(context)
    if not session.access.is_on(context.request.request, name):
        raise ToolError(f"This needs the tool `{name}`, which is switched off.")
    arguments = dict(_arguments(renames, given))
    parts = [part for part in session.parts.values() if hasattr(part, "admit")]
    admissions = [part.admit(context.request, tool, arguments) for part in parts]
    inner = replace(
        context,
        tool=name,
        serves=name,
        api=context.api.of(name),
        apis={key: client.of(name) for key, client in context.apis.items()},
        validator=session.catalogue.validator(name),
    )
    return _Call(inner, session.backend.api.shapes.get(name), tuple(filter(None, admissions)))


def _finish(admission: Coroutine[Any, Any, None]) -> None:
    """Run the async check of a tool's limits from a plain function.

    Raises ToolError if the check would block the event loop.
    """

    from anyio import from_thread

    async def waited() -> None:
        await admission

    try:
        from_thread.check_cancelled()
    except RuntimeError:  # in the event loop, or with none
        with suppress(StopIteration):
            admission.send(None)
            admission.close()
            raise ToolError(
                "A plain function cannot be called in the event loop if its tool's limit is in "
                "a store: call it in a thread, or make it `async`."
            ) from None
    else:
        from_thread.run(waited)


def _arguments(renames: Mapping[str, str], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments of a call, renamed from keywords to the names in the input schema."""
    for keyword, value in given.items():
        name = argument_of(renames.get(keyword, keyword))
        if name is None:
            yield from value.items()
        elif value is not UNSET:
            yield name, value
