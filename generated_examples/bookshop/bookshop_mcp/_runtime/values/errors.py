"""The failures of a tool call.

    ToolError              the call failed: a result with `isError` and this text
    ├── ArgumentError      an argument cannot be used: nothing was sent
    └── ApiError           the API answered with an error, or could not be reached
    ProtocolError          the request itself is wrong: a JSON-RPC error
    DryRun                 a request that a dry run shows and does not send

Every text is read by an agent: it says what to change, and never holds a secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class ToolError(Exception):
    """A failed call: the agent sees `message` in a result marked `isError`."""

    def __init__(self, message: str) -> None:
        self.message = _writable(message)
        super().__init__(self.message)


class ArgumentError(ToolError):
    """An argument that cannot be used; `argument` is its name, or empty for several arguments."""

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(f"Argument `{argument[:200]}` {reason}" if argument else reason)
        self.argument = argument
        self.reason = reason

    def of_the_api(self) -> ArgumentError:
        """The same error, but with the API's name for the argument, since the tool may use another
        name.
        """
        error = ArgumentError("", f"The API's `{self.argument[:200]}` {self.reason}")
        error.argument = self.argument
        return error


class ApiError(ToolError):
    """The API refused (`status`), or gave no usable answer (`status` is None)."""

    def __init__(
        self,
        status: int | None,
        message: str,
        *,
        data: Any = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.data = data
        self.retry_after = retry_after


DRY_RUN = "dryRun"
"""Under this name, the `_meta` of a result says that it is what a dry run shows."""


class DryRun(BaseException):
    """Raised instead of sending a request in a dry run; handlers cannot catch it as an
    `Exception`.
    """

    def __init__(self, message: str) -> None:
        self.message = _writable(message)
        super().__init__(self.message)


class ProtocolError(Exception):
    """A JSON-RPC error; `code` is an error code of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        self.message = _writable(message)
        super().__init__(self.message)
        self.code = code


def _writable(message: str) -> str:
    """The message with lone surrogates escaped, since UTF-8 cannot encode them."""
    return message.encode("utf-8", "backslashreplace").decode()


def is_failure(problem: BaseException) -> bool:
    """Whether a handler's exception fails only its own call, and must not end anything else.

    This is true of an exit that some library requests, of a panic in a library written in Rust
    (which is not an `Exception`), and of a CancelledError from something that the handler awaited,
    if nobody cancels the call itself. It is not true of an exception that is thrown into an
    abandoned call, since no task runs then.
    """
    from asyncio import CancelledError, current_task

    if not isinstance(problem, CancelledError | GeneratorExit):
        return not isinstance(problem, KeyboardInterrupt)
    try:
        task = current_task()
    except RuntimeError:
        return False
    return task is not None and not task.cancelling()


def causes(problem: BaseException | None) -> Iterator[BaseException]:
    """An exception, followed by its causes."""
    for _ in range(10):
        if problem is None:
            return
        yield problem
        if isinstance(problem, BaseExceptionGroup):
            yield from problem.exceptions
        problem = problem.__cause__ or problem.__context__
