"""Progress goes forward only, whoever reports it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mcpgen.runtime.calls.calls import CallProgress

pytestmark = pytest.mark.anyio


async def test_what_is_no_further_is_left_out() -> None:
    told: list[tuple[Any, ...]] = []

    async def tell(*given: Any) -> None:
        told.append(given)

    report = CallProgress(tell)
    for done in (-1, 0, 0, 40, 2, 40.0, math.nan, math.inf, 41):
        await report(done, 100, f"at {done}")
    assert told == [(done, 100, f"at {done}") for done in (-1, 0, 40, 41)]


async def test_a_total_that_is_no_number_is_left_out() -> None:
    """JSON has none for it, and null is not what the protocol takes for an unknown total."""
    told: list[Any] = []

    async def tell(done: float, total: float | None, message: str | None) -> None:
        told.append(total)

    report = CallProgress(tell)
    for done, total in enumerate((math.inf, math.nan, -math.inf, None, 7)):
        await report(done, total)
    assert told == [None, None, None, None, 7]


async def test_a_message_breaks_no_stream_and_moves_no_terminal() -> None:
    """Half of a surrogate pair would take the call's answer along over HTTP."""
    told: list[Any] = []

    async def tell(done: float, total: float | None, message: str | None) -> None:
        told.append(message)

    report = CallProgress(tell)
    await report(1, None, "x\ud800")
    await report(2)
    await report(3, None, "\x1b[2Jdone\u202e")
    assert told == ["x\\ud800", None, "\\u001b[2Jdone\\u202e"]
