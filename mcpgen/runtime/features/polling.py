"""Operations that the API accepts (202) and finishes later, followed at their status URL."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import anyio

from ..backend.answer import Answer, decode, interpret, is_success
from ..backend.exchange import REDIRECTS, Exchange
from ..backend.failures import RETRYABLE, PermanentError, retry_after
from ..backend.masking import without_credentials
from ..backend.outgoing import Outgoing
from ..backend.response import Response
from ..backend.threads import aside
from ..values.display import Mask
from ..values.errors import ApiError, ToolError, is_failure
from ..values.jsontext import Most, NotJson, check_size, parse

logger = logging.getLogger(__name__)

HEADERS = ("operation-location", "location", "content-location")
RUNNING = (
    "accepted", "creating", "deleting", "inprogress", "notstarted", "pending", "processing",
    "queued", "running", "started", "submitted", "updating", "waiting", "working",
)  # fmt: skip
FAILED = ("aborted", "canceled", "cancelled", "error", "expired", "failed", "failure", "rejected")
_PERCENT = ("/percentComplete", "/percent", "/progress")
_MOST = 1000
"""Percent: no progress is more."""
_PATIENCE = 5
"""Questions without a usable answer, one after the other, before the operation is given up."""
_SHORTEST, _LONGEST = 0.02, 300.0
_SHOWN = 2000
_CANCELLING = 5.0
"""Seconds that telling the API of a cancellation may take."""


@dataclass
class _Operation:
    """An operation that the API accepted."""

    where: Outgoing
    """Its status URL, which each 202 may name anew."""
    is_done: bool = False
    """Whether only its result is still to be had."""


@dataclass(frozen=True)
class Poll:
    """How the answers at the status URL tell whether the operation goes on.

    `status`, `progress` and `result` are JSON Pointers (RFC 6901) into such an answer; words are
    compared without case, blanks, `-` and `_`. Without `result`, the last answer is the tool's.
    """

    status: str = "/status"
    running: Sequence[str] = RUNNING
    failed: Sequence[str] = FAILED
    progress: str = ""
    """A percentage."""
    result: str = ""
    """The result itself, or its URL."""
    header: str = ""
    """The header with the status URL, where it is none of the usual ones."""
    cancel: str = ""
    """The method that cancels the operation at its status URL, if the API has one."""
    interval: float = 2.0
    """Seconds between questions where the API does not say (`Retry-After`)."""
    timeout: float = 3600.0
    """Seconds for the whole operation."""

    async def run(self, exchange: Exchange, outgoing: Outgoing, answer: Answer) -> Answer:
        """The answer at the end of the operation; an answer that is not a 202 with a URL, as it is.

        URLs are followed only within the operation's own origin, with its credentials.

        Raises:
            ApiError: the operation failed, or took too long.
        """
        if answer.status != 202:
            return answer
        named = self._named(answer)
        if not named:
            return answer
        where = outgoing.redirected(303, named)
        if where is None:
            note = "its status URL is at another origin and was not followed"
            return replace(answer, misfits=(*answer.misfits, note))
        exchange = replace(exchange, expect=())  # that is about the first answer
        operation = _Operation(where)
        try:
            with anyio.move_on_after(self.timeout):
                return await self._followed(exchange, operation, answer)
        except anyio.get_cancelled_exc_class():
            if not operation.is_done:
                await self._cancel(exchange, operation.where)
            raise
        done = "is done; its result did not come within"
        state = done if operation.is_done else "still goes on after"
        raise ApiError(None, f"The API accepted the operation, which {state} {self.timeout:g} s.")

    async def _followed(self, exchange: Exchange, operation: _Operation, answer: Answer) -> Answer:
        asked = 0
        while True:
            where = operation.where
            answer = await self._ask(exchange, where, answer)
            asked += 1
            if answer.status == 202:
                operation.where = where.redirected(303, self._named(answer)) or where
            elif answer.elsewhere or not is_success(answer.status, ()):
                return answer  # what the operation ended in has a status of its own
            read = partial(_json, answer, exchange.backend.most)
            body = await aside(len(answer.content), read, alone=True)
            state = _at(body, self.status)
            if isinstance(state, str) and _word(state) in map(_word, self.failed):
                raise _failure(exchange, answer)
            goes_on = isinstance(state, str) and _word(state) in map(_word, self.running)
            if answer.status != 202 and not goes_on:
                operation.is_done = True
                return await self._result(exchange, where, answer, body)
            await self._report(exchange, asked, body)

    async def _ask(self, exchange: Exchange, where: Outgoing, answer: Answer) -> Answer:
        """The next answer at the status URL; temporary failures are retried.

        Raises:
            ApiError: there was no answer, or one that leads where it is not followed.
        """
        said = ""
        for _ in range(_PATIENCE):
            await anyio.sleep(self._pause(answer))
            try:
                answer = await exchange.run(where)
            except ToolError as problem:
                if isinstance(problem, PermanentError) and problem.status in REDIRECTS:
                    raise  # the outcome is elsewhere, and that is not followed
                logger.info("%s: %s", exchange.tool, problem.message)
                said = problem.message.partition(". ")[0].rstrip(".")
                if isinstance(problem, PermanentError):
                    break
                continue
            if answer.status not in RETRYABLE:
                return answer
            said = f"The API answers {answer.status}"
        raise ApiError(
            None,
            "The API accepted the operation, but does not say any more how it stands. It may go "
            f"on: find out before calling again. {said}.",
        )

    async def _result(
        self, exchange: Exchange, where: Outgoing, answer: Answer, body: Any
    ) -> Answer:
        if not self.result:
            return answer
        found = _at(body, self.result)
        if found is None:
            note = f"it has nothing at {self.result}, where its result should be"
            return replace(answer, misfits=(*answer.misfits, note))
        place = where.redirected(303, found) if _is_url(found) else None
        if place is not None:
            return await exchange.run(place)
        misfits = (*answer.misfits, *_losses(answer, exchange.backend.most))
        return replace(answer, content=json.dumps(found).encode(), misfits=misfits)

    async def _report(self, exchange: Exchange, asked: int, body: Any) -> None:
        if exchange.report is None:
            return
        shape = exchange.backend.api.shapes.get(exchange.tool)
        if shape is not None:
            body = shape.of_error(Response(body)).data
        state = _at(body, self.status)
        mask = Mask(exchange.signing.secrets)
        message = mask(state)[:200] if isinstance(state, str) else None
        for pointer in (self.progress,) if self.progress else _PERCENT:
            percent = _at(body, pointer)
            is_number = isinstance(percent, int | float) and not isinstance(percent, bool)
            if is_number and 0 <= percent <= _MOST:
                await exchange.report(float(percent), 100.0, message)
                return
        await exchange.report(float(asked), None, message)

    async def _cancel(self, exchange: Exchange, where: Outgoing) -> None:
        if not self.cancel:
            return
        with anyio.move_on_after(_CANCELLING, shield=True):
            try:
                await exchange.run(replace(where, method=self.cancel))
            except ToolError as problem:
                logger.info("%s: the API was not told of it: %s", exchange.tool, problem.message)
            except BaseException as problem:  # a hook's, which would replace the cancellation
                if not is_failure(problem):
                    raise
                logger.exception("%s: the API was not told of it", exchange.tool)

    def _named(self, answer: Answer) -> str:
        names = (self.header,) if self.header else HEADERS
        return next((url for name in names if (url := answer.headers.get(name))), "")

    def _pause(self, answer: Answer) -> float:
        asked = retry_after(answer.headers.get("retry-after"))
        return min(max(self.interval if asked is None else asked, _SHORTEST), _LONGEST)


def _failure(exchange: Exchange, answer: Answer) -> ApiError:
    """The API's own words on what went wrong, with secrets removed."""
    response = interpret(answer, ("2XX",), "application/json", most=exchange.backend.most)
    response = without_credentials(response, exchange.signing.secrets)
    shape = exchange.backend.api.shapes.get(exchange.tool)
    if shape is not None:
        response = shape.of_error(response)
    text = decode(response.content, None)[0][:_SHOWN]
    return ApiError(answer.status, f"The operation was accepted and then failed. The API: {text}")


def _word(text: str) -> str:
    return text.lower().replace(" ", "").replace("-", "").replace("_", "")


def _is_url(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("/", "http://", "https://"))


def _json(answer: Answer, most: Most) -> Any:
    text = decode(answer.content, None)[0]
    try:
        check_size(text, most)
        return json.loads(text)
    except (NotJson, ValueError, RecursionError):
        return None


def _losses(answer: Answer, most: Most) -> tuple[str, ...]:
    """What the parsed value lost of the answer's text."""
    try:
        return parse(decode(answer.content, None)[0], most).losses
    except NotJson:
        return ()


def _at(value: Any, pointer: str) -> Any:
    """The value that a JSON Pointer leads to, or None."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
