"""Long operations: calls that are answered with a task, for clients that know what that is."""

import asyncio
import gc
import json
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.extension import advertise
from mcp_types import CallToolRequest, CallToolRequestParams
from protocol.wire import CURRENT
from pydantic import BaseModel, ConfigDict
from tables import table

from .calling_tasks import ENDED, EXTENSION, NOTHING, Caller, Refused, serving
from .servers import Server, packaged

MANY = 24


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def run(server: Server, use: Any, **settings: Any) -> None:
    async def main() -> None:
        async with serving(server, **settings) as http:
            await use(Caller(http, "one"), Caller(http, "two"))

    server.module("handlers.tools").GATES.clear()
    anyio.run(main)


def test_a_call_becomes_a_task_that_is_followed_to_its_result(yard):
    async def use(one, _):
        started = await one.call("build", gate="a", number=1)
        assert started["resultType"] == "task"
        assert started["status"] == "working"
        assert len(started["taskId"]) >= 32
        assert isinstance(started["ttlMs"], int)
        assert isinstance(started["pollIntervalMs"], int)
        assert not {"result", "error", "inputRequests", "requestState"} & started.keys()
        task = started["taskId"]
        while (found := await one.get(task)).get("statusMessage") != "keel laid":
            await anyio.sleep(0)
        assert (found["resultType"], found["status"]) == ("complete", "working")
        yard.module("handlers.tools").GATES["a"].set()
        done = await one.until(task, *ENDED)
        assert done["status"] == "completed"
        assert done["result"]["structuredContent"] == {"number": 1}
        assert await one.ask("tasks/cancel", {"taskId": task}) == {"resultType": "complete"} | {
            "_meta": found["_meta"]
        }
        assert (await one.get(task))["status"] == "completed"

    run(yard, use)


def test_errors_of_the_tool_and_of_the_protocol(yard):
    async def use(one, _):
        for how, status in (("tool", "completed"), ("protocol", "failed")):
            task = (await one.call("sink", how=how))["taskId"]
            found = await one.until(task, *ENDED)
            assert found["status"] == status
            if how == "tool":
                assert found["result"]["isError"]
            else:
                assert found["error"] == {"code": -32602, "message": "no such ship"}
                assert "result" not in found
        refused = await one.call("build", gate=7, number=1)
        assert refused["isError"]
        assert "gate" in refused["content"][0]["text"]

    run(yard, use)


def test_the_audit_log_tells_of_a_task_when_it_has_ended(yard, tmp_path):
    path = tmp_path / "audit.jsonl"

    def outcomes():
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return [(line["tool"], line["outcome"]) for line in lines]

    async def use(one, _):
        task = (await one.call("build", gate="a", number=1))["taskId"]
        assert outcomes() == []
        yard.module("handlers.tools").GATES["a"].set()
        await one.until(task, *ENDED)
        assert outcomes() == [("build", "ok")]
        await one.until((await one.call("sink", how="tool"))["taskId"], *ENDED)
        given_up = (await one.call("build", gate="b", number=1))["taskId"]
        await one.get(given_up)
        await one.ask("tasks/cancel", {"taskId": given_up})
        await one.until(given_up, *ENDED)
        await one.call("build", gate="c", number=1)

    run(yard, use, audit=str(path))
    ended = [("build", "ok"), ("sink", "error"), ("build", "cancelled")]
    assert outcomes() == [*ended, ("build", "cancelled")]  # the last, with the server


def test_several_questions_wait_at_a_time(yard):
    async def use(one, _):
        task = (await one.call("launch"))["taskId"]
        with anyio.fail_after(20):
            while len((await one.get(task)).get("inputRequests", {})) < 2:
                await anyio.sleep(0)
        found = await one.get(task)
        assert found["status"] == "input_required"
        first, second = found["inputRequests"]
        assert found["inputRequests"][first]["method"] == "elicitation/create"
        yes = {"action": "accept", "content": {"yes": True}}
        answers = {first: yes, "nobody-asked": yes, second: "nonsense"}
        await one.ask("tasks/update", {"taskId": task, "inputResponses": answers})
        found = await one.get(task)
        assert (found["status"], list(found["inputRequests"])) == ("input_required", [second])
        await one.ask("tasks/update", {"taskId": task, "inputResponses": {second: yes}})
        done = await one.until(task, *ENDED)
        assert done["result"]["structuredContent"] == {
            "result": [["Bottle?", True], ["Tide?", True]]
        }

    run(yard, use)


def test_a_client_that_cannot_be_asked_fails_the_task(yard):
    async def use(one, _):
        only = {"extensions": {EXTENSION: {}}}
        params = {"name": "launch", "arguments": {}}
        task = (await one.ask("tools/call", params, only))["taskId"]
        found = await one.until(task, *ENDED)
        assert found["status"] == "failed"
        assert found["error"]["code"] == -32021

    run(yard, use)


def test_without_the_extension_there_are_no_tasks(yard):
    async def use(one, _):
        yard.module("handlers.tools").GATES["open"] = opened = anyio.Event()
        opened.set()
        params = {"name": "build", "arguments": {"gate": "open", "number": 1}}
        result = await one.ask("tools/call", params, {})
        assert result["resultType"] == "complete"
        assert result["structuredContent"] == {"number": 1}
        scrap = {"name": "scrap", "arguments": {}}
        for method, body in (
            ("tools/call", scrap),
            ("tasks/get", {"taskId": "x"}),
            ("tasks/update", {"taskId": "x", "inputResponses": {}}),
            ("tasks/cancel", {"taskId": "x"}),
            ("subscriptions/listen", {"notifications": {"taskIds": ["x"]}}),
        ):
            with pytest.raises(Refused) as refused:
                await one.ask(method, body, {})
            assert refused.value.code == -32021
            assert refused.value.data == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        assert (await one.call("greet"))["resultType"] == "complete"
        for method in ("tasks/list", "tasks/result"):
            with pytest.raises(Refused) as gone:
                await one.ask(method, {"taskId": "x"})
            assert gone.value.code == -32601
        for named, code in (
            ("y", -32020),
            ("=?base64?eQ==?=", -32020),
            ("=?base64?eA?=", -32020),
            ("=?base64?eA==?=", -32602),
        ):
            with pytest.raises(Refused) as unknown:
                await one.ask("tasks/get", {"taskId": "x"}, named=named)
            assert unknown.value.code == code
        discovered = await one.ask("server/discover", {})
        assert EXTENSION in discovered["capabilities"]["extensions"]

    run(yard, use)


def test_an_older_client_waits_for_the_work(yard):
    async def main():
        async with Client(yard.module("server").create_server(), mode="legacy") as client:
            yard.module("handlers.tools").GATES["open"] = opened = anyio.Event()
            opened.set()
            result = await client.call_tool("build", {"gate": "open", "number": 2})
            assert result.structured_content == {"number": 2}

    anyio.run(main)


@table(
    "called, code, out, err",
    (["scrap"], 0, "scrapped\n", ""),
    (["sink", "--arguments", '{"how": "so"}'], 1, "the ship is gone\n", ""),
    (["sink", "--arguments", '{"how": "protocol"}'], 1, "", "no such ship\n"),
)
def test_a_call_from_the_command_line_waits_for_the_task(yard, called, code, out, err, capsys):
    assert yard.module("server").APP.main(["--call", *called]) == code
    assert capsys.readouterr() == (out, err)


class Anything(BaseModel):
    """A result as it came."""

    model_config = ConfigDict(extra="allow")


async def started(client: Client, **arguments: Any) -> str:
    """The task that a call became."""
    params = CallToolRequestParams(name="build", arguments=arguments)
    found = await client.session.send_request(CallToolRequest(params=params), Anything)
    assert found.model_dump()["status"] == "working"
    return str(found.model_dump()["taskId"])


def test_a_task_goes_on_when_another_client_leaves(yard):
    """In memory the server runs once for each client."""

    async def main():
        handlers = yard.module("handlers.tools")
        handlers.GATES.clear()
        server = yard.module("server").create_server()

        def client():
            return Client(server, mode=CURRENT, extensions=[advertise(EXTENSION)])

        async with client() as one:
            async with client() as two:
                await started(one, gate="shared", number=1)
                await started(two, gate="shared", number=2)
                await started(one, gate="shared", number=3)
            with anyio.fail_after(20):
                while {1, 3} != handlers.UNDER_WAY:
                    await anyio.sleep(0)
            await started(one, gate="shared", number=4)

    anyio.run(main)


def test_too_many_tasks_are_refused(yard):
    async def use(one, two):
        await one.call("build", gate="b", number=1)
        task = (await one.call("build", gate="b", number=2))["taskId"]
        refused = await one.call("build", gate="b", number=3)
        assert refused["isError"]
        assert "one caller may have" in refused["content"][0]["text"]
        await two.call("build", gate="b", number=4)
        refused = await two.call("build", gate="b", number=5)
        assert refused["isError"]
        assert "This server has" in refused["content"][0]["text"]
        assert "YARD_MAX_TASKS" in refused["content"][0]["text"]
        await one.ask("tasks/cancel", {"taskId": task})

    run(yard, use, max_tasks=3)


def test_many_tasks_leave_nothing_behind(yard, monkeypatch):
    """Started, polled by who may and by who may not, ended, cancelled and expired."""
    clock, stores, ids = Clock(), [], set()
    module, handlers = yard.module("_runtime.parts.tasks.tasks"), yard.module("handlers.tools")
    kinds = yard.module("_runtime.parts.tasks.store")

    def make(*given):
        stores.append(kinds.TaskStore(*given, clock=clock))
        return stores[-1]

    monkeypatch.setattr(module, "TaskStore", make)

    async def each(items, work):
        found = []
        waiting = iter(items)

        async def next_ones():
            for item in waiting:
                found.append(await work(item))

        async with anyio.create_task_group() as tasks:
            for _ in range(MANY // 2):
                tasks.start_soon(next_ones)
        return found

    async def use(one, two):
        async def start(number):
            mine, other = (one, two) if number % 4 else (two, one)
            gate = "even" if number % 2 else "odd"
            started = await mine.call("build", gate=gate, number=number)
            return mine, other, started["taskId"]

        async def refused(item):
            _, other, task = item
            with pytest.raises(Refused) as unknown:
                await other.ask("tasks/cancel", {"taskId": task})
            assert unknown.value.code == -32602

        async def status(item):
            return str((await item[0].get(item[2]))["status"])

        async def cancel(item):
            await item[0].ask("tasks/cancel", {"taskId": item[2]})

        before = len(asyncio.all_tasks())
        tasks = await each(range(MANY), start)
        ids.update(task for _, _, task in tasks)
        assert len(ids) == MANY
        assert all(len(task) >= 32 for task in ids)
        await each(tasks[::4], refused)
        assert len(handlers.UNDER_WAY) == MANY
        handlers.GATES["even"].set()
        await each(tasks[: MANY // 2], cancel)
        found = await each(tasks, status)
        assert set(found) <= {"working", "completed", "cancelled"}
        assert found.count("cancelled") >= MANY // 4
        assert len(stores[0]) == MANY
        clock.now = 3601.0
        with pytest.raises(Refused):
            await one.get(tasks[0][2])
        assert len(stores[0]) == 0
        with anyio.fail_after(10):
            while handlers.UNDER_WAY or len(asyncio.all_tasks()) > before:
                await anyio.sleep(0)

    run(yard, use)
    gc.collect()
    there = [thing for thing in gc.get_objects() if isinstance(thing, kinds.Task)]
    assert not [task.id for task in there if task.id in ids]


def test_who_shares_a_token_does_not_share_tasks(upstream, tmp_path):
    """One token for everybody tells nobody from others: the credentials for the API do."""
    scheme = {"type": "apiKey", "in": "header", "name": "X-Key"}
    server = {"name": "slipway", "securitySchemes": {"key": scheme}, "security": [{"key": []}]}
    tools = [{"name": "launch", "description": "Some.", "inputSchema": NOTHING, "task": "optional"}]
    tools.append({"name": "look", "description": "Some.", "inputSchema": NOTHING, "http": "GET /"})
    made = packaged({"server": server, "tools": tools}, tmp_path, upstream)

    async def main():
        shared = {"http_token": "of-everybody", "caller_auth": (("key", "X-Key"),)}
        async with serving(made, **shared) as http:
            one, two = (Caller(http, "of-everybody", **{"X-Key": key}) for key in ("1", "2"))
            task = (await one.call("launch"))["taskId"]
            await one.until(task, *ENDED)
            for named in (task, "x"):
                with pytest.raises(Refused) as refused:
                    await two.get(named)
                assert refused.value.code == -32602

    anyio.run(main)
