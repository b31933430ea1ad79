"""What is said of a task."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.task_store import TaskStore

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ((3,), "3"),
        ((0.5, 2), "0.5 of 2"),
        ((1, 2, "packing"), "packing"),
        ((1, None, "x\ud800"), "x\ufffd"),
    ],
)
async def test_progress_is_the_message_of_a_task(report: tuple[Any, ...], said: str) -> None:
    """Half of a surrogate pair in it would break the stream that tells it."""
    task = TaskStore(60, 1, "SHOP_MAX_TASKS").create("owner")
    await task.report(*report)
    assert task.brief["statusMessage"] == said
    task.complete({})
    await task.report(9)
    assert "statusMessage" not in task.brief
