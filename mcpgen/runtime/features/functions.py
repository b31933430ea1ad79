"""What resources, prompts and completions share: finding their functions, mapping failures."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import cached_property
from importlib import import_module
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from ..backend.response import InputNeeded
from ..calls.calls import leaf
from ..calls.catalogue import Handler, HandlerT, tool
from ..results.content import Result
from ..values.errors import ArgumentError, ProtocolError, ToolError, is_failure

logger = logging.getLogger(__name__)

marked: Callable[..., Callable[[HandlerT], HandlerT]] = tool
"""Mark a function with what it serves, as `tool` does a handler."""


class Functions:
    """The marked functions of a module of the package, which is imported on first use."""

    def __init__(self, package: str, module: str) -> None:
        self._package = package
        self._module = module

    @cached_property
    def _by_key(self) -> dict[Any, Handler]:
        home = import_module(f".{self._module}", self._package)
        found = [value for value in vars(home).values() if hasattr(value, "mcp_tool")]
        return {function.mcp_tool[0]: Handler(function) for function in found}

    def get(self, key: Any) -> Handler:
        """The function that is marked with a key.

        Raises:
            ToolError: there is no such function any more.
        """
        if key not in self._by_key:
            raise ToolError(f"Nothing serves this: {self._package}.{self._module} has no function.")
        return self._by_key[key]


async def guarded(name: str, making: Awaitable[Result]) -> Result:
    """The result of a function, or the question that must be put to the user first.

    Raises:
        MCPError: a failure, without details of this server's internals.
    """
    try:
        return await making
    except BaseException as raised:
        return _failed(name, leaf(raised))


def _failed(name: str, problem: BaseException) -> Result:
    match problem:
        case InputNeeded():
            return problem.result
        case ArgumentError():
            raise MCPError(code=INVALID_PARAMS, message=problem.message) from None
        case ToolError():
            logger.info("%s: %s", name, problem.message)
            raise MCPError(code=INTERNAL_ERROR, message=problem.message) from None
        case ProtocolError():
            raise MCPError(code=problem.code, message=problem.message) from None
        case _ if isinstance(problem, MCPError) or not is_failure(problem):
            raise problem
        case _:
            logger.error("%s: failed inside this server", name, exc_info=problem)
            message = f"{name} failed inside this server; the reason is in the server's log."
            raise MCPError(code=INTERNAL_ERROR, message=message) from None
