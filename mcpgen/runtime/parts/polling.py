"""Operations that the API accepts (202) and finishes later; their status URL is polled."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import anyio

from ..backend.answer import Answer, decode, interpret, is_success
from ..backend.exchange import REDIRECTS, Exchange
from ..backend.failures import RETRYABLE, PermanentError, retry_after
from ..backend.outgoing import Outgoing
from ..backend.response import Response
from ..backend.signing import without_credentials
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
_MAX_FAILURES = 5
"""Questions without a usable answer, one after the other, before the operation is given up."""
_SHORTEST, _LONGEST = 0.02, 300.0
_MAX_CHARACTERS = 2000
_CANCEL_SECONDS = 5.0
"""Seconds that telling the API of a cancellation may take."""


@dataclass(frozen=True)
class Poll:
    """How to tell from an answer at the status URL whether the operation is still running.

    `status`, `progress` and `result` are JSON Pointers (RFC 6901) into these answers. Status words
    are compared without regard to case, blanks, `-` and `_`. Without `result`, the last answer is
    the tool's result.
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
        """The answer at the end of the operation; an answer that is not a 202 with a URL stays as
        it is.

        URLs are requested only at the operation's own origin, with its credentials.

        Raises:
            ApiError: the operation failed, or took too long.
        """
        url = self.url_of(answer) if answer.status == 202 else ""
        if not url:
            return answer
        where = outgoing.redirected(303, url)
        if where is None:
            note = "its status URL is at another origin and was not followed"
            return replace(answer, misfits=(*answer.misfits, note))
        # What was expected of the first answer does not hold for those that follow.
        return await _Operation(self, replace(exchange, expect=()), where, answer).finish()

    def url_of(self, answer: Answer) -> str:
        """The status URL that an answer names; empty if there is none."""
        names = (self.header,) if self.header else HEADERS
        return next((url for name in names if (url := answer.headers.get(name))), "")


@dataclass
class _Operation:
    """An operation that the API accepted."""

    poll: Poll
    exchange: Exchange
    where: Outgoing
    """Its status URL, which each 202 may name anew."""
    answer: Answer
    """The last one."""
    is_done: bool = False
    """Whether only its result is still to be had."""

    async def finish(self) -> Answer:
        try:
            with anyio.move_on_after(self.poll.timeout):
                return await self._follow()
        except anyio.get_cancelled_exc_class():
            is_dry = self.exchange.backend.effects is not None
            if self.poll.cancel and not (self.is_done or is_dry):
                await self._cancel()
            raise
        done = "is done; its result did not come within"
        state = f"{done if self.is_done else 'is still running after'} {self.poll.timeout:g} s"
        raise ApiError(None, f"The API accepted the operation, which {state}.")

    async def _follow(self) -> Answer:
        poll, exchange = self.poll, self.exchange
        for number in count(1):
            answer = self.answer = await self._ask()
            accepted = answer.status == 202
            if accepted:
                self.where = self.where.redirected(303, poll.url_of(answer)) or self.where
            elif answer.elsewhere or not is_success(answer.status, ()):
                break  # what the operation ended in has a status of its own
            read = partial(_json, answer, exchange.backend.most)
            body = await aside(len(answer.content), read, alone=True)
            state = _word(_at(body, poll.status))
            if state and state in map(_word, poll.failed):
                raise self._failure()
            if not accepted and not (state and state in map(_word, poll.running)):
                self.is_done = True
                return await self._result(body)
            await self._report(number, body)
        return self.answer

    async def _ask(self) -> Answer:
        """The next answer at the status URL; temporary failures are retried.

        Raises:
            ApiError: there was no answer, or it leads to a URL that must not be requested.
        """
        reason = ""
        for _ in range(_MAX_FAILURES):
            wait = retry_after(self.answer.headers.get("retry-after"))
            wait = self.poll.interval if wait is None else wait
            await anyio.sleep(min(max(wait, _SHORTEST), _LONGEST))
            try:
                self.answer = await self.exchange.run(self.where)
            except ToolError as problem:
                if isinstance(problem, PermanentError) and problem.status in REDIRECTS:
                    raise  # the outcome is elsewhere, and that is not followed
                logger.info("%s: %s", self.exchange.tool, problem.message)
                reason = problem.message.partition(". ")[0].rstrip(".")
                if isinstance(problem, PermanentError):
                    break
                continue
            if self.answer.status not in RETRYABLE:
                return self.answer
            reason = f"The API answers {self.answer.status}"
        raise ApiError(
            None,
            "The API accepted the operation, but no longer reports its state. It may still "
            f"be running: check that before calling again. {reason}.",
        )

    async def _result(self, body: Any) -> Answer:
        answer, pointer = self.answer, self.poll.result
        if not pointer:
            return answer
        result = _at(body, pointer)
        if result is None:
            note = f"it has nothing at {pointer}, where its result should be"
            return replace(answer, misfits=(*answer.misfits, note))
        is_url = isinstance(result, str) and result.startswith(("/", "http://", "https://"))
        place = self.where.redirected(303, result) if is_url else None
        if place is not None:
            return await self.exchange.run(place)
        losses: tuple[str, ...] = ()
        with suppress(NotJson):
            losses = parse(decode(answer.content, None)[0], self.exchange.backend.most).losses
        content = json.dumps(result).encode()
        return replace(answer, content=content, misfits=(*answer.misfits, *losses))

    async def _report(self, number: int, body: Any) -> None:
        report = self.exchange.report
        if report is None:
            return
        body = self._shape(Response(body)).data
        state = _at(body, self.poll.status)
        mask = Mask(self.exchange.signing.secrets)
        message = mask(state)[:200] if isinstance(state, str) else None
        for pointer in (self.poll.progress,) if self.poll.progress else _PERCENT:
            percent = _at(body, pointer)
            if type(percent) in (int, float) and 0 <= percent <= 100:
                await report(float(percent), 100.0, message)
                return
        await report(float(number), None, message)

    def _shape(self, response: Response[Any]) -> Response[Any]:
        """The answer with only the fields that the tool may show."""
        shape = self.exchange.backend.api.shapes.get(self.exchange.tool)
        return response if shape is None else shape.of_error(response)

    def _failure(self) -> ApiError:
        """The API's own explanation of the failure, with secrets removed."""
        answer, exchange = self.answer, self.exchange
        response = interpret(answer, ("2XX",), "application/json", most=exchange.backend.most)
        response = self._shape(without_credentials(response, exchange.signing.secrets))
        text = decode(response.content, None)[0][:_MAX_CHARACTERS]
        message = f"The operation was accepted and then failed. The API: {text}"
        return ApiError(answer.status, message)

    async def _cancel(self) -> None:
        with anyio.move_on_after(_CANCEL_SECONDS, shield=True):
            try:
                await self.exchange.run(replace(self.where, method=self.poll.cancel))
            except BaseException as problem:  # a hook's would replace the cancellation
                if not is_failure(problem):
                    raise
                logger.exception("%s: the API could not be told to stop", self.exchange.tool)


def _word(state: Any) -> str:
    """The status word of an operation, normalized; empty if the value is not a word."""
    return re.sub("[ _-]", "", state).lower() if isinstance(state, str) else ""


def _json(answer: Answer, most: Most) -> Any:
    text = decode(answer.content, None)[0]
    try:
        check_size(text, most)
        return json.loads(text)
    except (NotJson, ValueError, RecursionError):
        return None


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer, or None."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
