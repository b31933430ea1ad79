"""Progress goes forward only, whoever reports it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mcpgen.runtime.results.progress import CallProgress

pytestmark = pytest.mark.anyio


async def test_what_is_no_further_is_left_out() -> None:
    told: list[tuple[Any, ...]] = []

    async def tell(*given: Any) -> None:
        told.append(given)

    report = CallProgress(tell)
    for done in (-1, 0, 0, 40, 2, 40.0, math.nan, math.inf, 41):
        await report(done, 100, f"at {done}")
    assert told == [(done, 100, f"at {done}") for done in (-1, 0, 40, 41)]
