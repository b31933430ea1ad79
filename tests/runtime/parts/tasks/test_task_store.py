"""What is said of a task."""

import anyio
import pytest
from mcp_types import ElicitResult
from tables import table

from mcpgen.runtime import ToolError
from mcpgen.runtime.parts.tasks.store import TaskStore


@table(
    "report, said",
    ((3,), "3"),
    ((0.5, 2), "0.5 of 2"),
    ((1, 2, "packing"), "packing"),
    ((1, None, "x\ud800"), "x\\ud800"),
    ((1, None, "\x1b[2Jdone"), "\\u001b[2Jdone"),
)
async def test_progress_is_the_message_of_a_task(report, said):
    """Half of a surrogate pair in it would break the stream that tells it."""
    task = TaskStore(60, 1, "SHOP_MAX_TASKS").create("owner")
    await task.report(*report)
    assert task.brief["statusMessage"] == said
    task.end("completed", result={})
    await task.report(9)
    assert "statusMessage" not in task.brief


async def test_each_change_of_a_task_is_told_and_has_its_time(monkeypatch):
    now = "2026-01-01T00:00:00.000Z"
    monkeypatch.setattr("mcpgen.runtime.parts.tasks.store._now", lambda: now)
    heard = []

    def hear(task):
        heard.append((task.brief["status"], task.brief.get("statusMessage", "")))

    task = TaskStore(60, 1, "SHOP_MAX_TASKS", hear).create("owner")
    begun, now = now, "2026-01-01T00:00:01.000Z"
    before = task.brief["lastUpdatedAt"]
    await task.report(1, message="packing")
    assert task.brief["lastUpdatedAt"] == now > before
    before, now = now, "2026-01-01T00:00:02.000Z"
    task.end("failed", "no paper")
    assert task.brief["lastUpdatedAt"] == now > before
    await task.report(2, message="more")
    task.cancel()
    assert heard == [("working", "packing"), ("failed", "no paper")]
    assert task.brief["createdAt"] == begun


async def test_callers_have_shares_until_tasks_are_forgotten():
    store = TaskStore(60, 3, "SHOP_MAX_TASKS")
    for _ in range(3):
        store.create("")
    with pytest.raises(ToolError, match="This server has"):
        store.create("")
    task = TaskStore(60, 1, "SHOP_MAX_TASKS").create("owner")
    async with anyio.create_task_group() as group:
        group.start_soon(task.ask, {"method": "elicitation/create"}, "size")
        await anyio.wait_all_tasks_blocked()
        assert task.detailed["status"] == "input_required"
        assert task.detailed["inputRequests"] == {"size-1": {"method": "elicitation/create"}}
        task.answer("size-1", ElicitResult(action="decline"))
        assert (task.brief["status"], "inputRequests" in task.detailed) == ("working", False)


async def test_what_is_kept_is_counted(monkeypatch):
    store = TaskStore(60, 4, "SHOP_MAX_TASKS")
    first = [store.create("owner") for _ in range(2)]
    with pytest.raises(ToolError, match=r"one caller may have.*SHOP_MAX_TASKS"):
        store.create("owner")
    others = [store.create(each) for each in ("other", "")]
    with pytest.raises(ToolError, match="This server has"):
        store.create("third")
    assert all(store.find(task.id, task.owner) is task for task in (*first, *others))
    monkeypatch.setattr("mcpgen.runtime.parts.tasks.store.KEPT_BYTES", 10)
    store = TaskStore(60, 9, "SHOP_MAX_TASKS")
    store.create("owner").size = 6
    with pytest.raises(ToolError, match="one caller may have"):
        store.create("owner")
    store.create("other")
    monkeypatch.setattr("mcpgen.runtime.parts.tasks.store.KEPT_BYTES", 10)
    now = 0.0
    store = TaskStore(60, 9, "SHOP_MAX_TASKS", clock=lambda: now)
    first = store.create("owner")
    first.size = 11
    with pytest.raises(ToolError, match="SHOP_MAX_TASKS"):
        store.create("owner")
    now = 60.0
    assert store.find(first.id, "owner") is None
    assert store.find(store.create("owner").id, "other") is None
