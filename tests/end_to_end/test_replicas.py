"""Replicas of one server that share a store: any of them answers, whichever was asked before."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import company_ca
import pytest
from redis import Redis
from redis_server import RedisServer

from bench.calls import free_port

from . import calling_tasks
from .calling_tasks import ENDED, Caller, Refused, serving
from .servers import Server


@pytest.fixture
def redis_server(tmp_path):
    server = RedisServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture(scope="module")
def fleet(upstream, tmp_path_factory):
    """A server with a store, whose tools run as tasks."""
    folder = tmp_path_factory.mktemp("fleet")
    return calling_tasks.make(folder, upstream, server={"name": "fleet"}, settings="store = true\n")


@asynccontextmanager
async def replicas(
    server: Server, redis: RedisServer, **settings: Any
) -> AsyncIterator[tuple[Any, Any]]:
    """The HTTP clients of two."""
    server.module("handlers.tools").GATES.clear()
    more = {"store": redis.url, "state_keys": ("k" * 32,), **settings}
    async with serving(server, **more) as one, serving(server, **more) as two:
        yield one, two


async def begun(server: Server, caller: Caller, gate: str) -> str:
    """The id of a task that waits at a gate."""
    task: str = (await caller.call("build", gate=gate, number=1))["taskId"]
    while gate not in server.module("handlers.tools").GATES:
        await anyio.sleep(0.01)
    return task


async def test_a_task_is_followed_at_any_replica_by_its_caller(fleet, redis_server):
    gates = fleet.module("handlers.tools").GATES
    async with replicas(fleet, redis_server) as (one, two):
        task = await begun(fleet, Caller(one, "me"), "a")
        there = Caller(two, "me")
        assert (await there.get(task))["status"] == "working"
        for other in (one, two):
            with pytest.raises(Refused, match="does not exist"):
                await Caller(other, "you").get(task)
        gates["a"].set()
        done = await there.until(task, *ENDED)
        assert done["result"]["structuredContent"] == {"number": 1}
        asking = (await Caller(one, "me").call("launch"))["taskId"]
        questions = (await there.until(asking, "input_required"))["inputRequests"]
        while len(questions) < 2:
            questions = (await there.get(asking))["inputRequests"]
        answer = {"action": "accept", "content": {"yes": True}}
        said = dict.fromkeys(questions, answer)
        await there.ask("tasks/update", {"taskId": asking, "inputResponses": said})
        assert (await there.until(asking, *ENDED))["status"] == "completed"
        cancelled = await begun(fleet, Caller(one, "me"), "b")
        await there.ask("tasks/cancel", {"taskId": cancelled})
        assert (await there.until(cancelled, *ENDED))["status"] == "cancelled"


async def test_a_task_of_a_replica_that_stopped_has_failed_and_one_that_ended_is_kept(
    fleet, redis_server
):
    async with replicas(fleet, redis_server) as (_, two):
        async with replicas(fleet, redis_server) as (one, _):
            unfinished = await begun(fleet, Caller(one, "me"), "c")
            ended = (await Caller(one, "me").call("sink", how="tool"))["taskId"]
            await Caller(one, "me").until(ended, *ENDED)
        redis_server.kill()
        with pytest.raises(Refused, match="cannot be reached now"):
            await Caller(two, "me").get(ended)
        assert (await Caller(two, "me").call("greet"))["content"][0]["text"] == "ahoy"
        refused = await Caller(two, "me").call("sink", how="tool")
        assert refused["isError"]
        assert "cannot be reached now" in refused["content"][0]["text"]
        assert (await two.get("/readyz")).text == "ready\nthe store does not answer\n"
        redis_server.start()
        assert (await Caller(two, "me").get(ended))["result"]["isError"]
        lost = await Caller(two, "me").get(unfinished)
        assert (lost["status"], lost["error"]["code"]) == ("failed", -32603)
        assert (await two.get("/readyz")).text == "ready\n"


@pytest.mark.parametrize("failure", ["closed", "open"])
async def test_limits_hold_over_all_replicas(fleet, redis_server, failure):
    limits = {"calls_per_minute": 7, "calls_at_once": 50, "store_failure": failure}
    async with replicas(fleet, redis_server, **limits) as http:
        results = []

        async def call(number):
            found = await Caller(http[number % 2], "me").call("greet")
            results.append("isError" in found and found["isError"])

        async with anyio.create_task_group() as calls:
            for number in range(20):
                calls.start_soon(call, number)
        assert results.count(False) == 7
        redis_server.kill()
        found = await Caller(http[0], "me").call("greet")
        told = found["content"][0]["text"]
        if failure == "open":
            assert told == "ahoy"
        else:
            assert "store does not answer" in told
            assert "Nothing was done." in told


async def test_a_full_store_refuses_what_it_would_keep_and_tells_what_it_has(
    fleet, redis_server, caplog
):
    async with replicas(fleet, redis_server) as (one, two):
        ended = (await Caller(one, "me").call("sink", how="tool"))["taskId"]
        await Caller(one, "me").until(ended, *ENDED)
        with Redis.from_url(redis_server.url) as raw:
            raw.config_set("maxmemory", 1)  # its policy is noeviction
            before = raw.keys("*task*")
            assert (await Caller(two, "me").get(ended))["result"]["isError"]
            refused = await Caller(one, "me").call("build", gate="full", number=9)
            assert refused["isError"]
            assert "The store of this server is full" in refused["content"][0]["text"]
            assert (await Caller(two, "me").call("greet"))["content"][0]["text"] == "ahoy"
            after = raw.keys("*task*")
            assert sorted(after) == sorted(before)
            raw.config_set("maxmemory", 0)
        assert "full" not in fleet.module("handlers.tools").GATES
        assert "the store takes nothing more" in caplog.text
        assert "taskId" in await Caller(one, "me").call("sink", how="tool")


async def test_a_task_that_cannot_be_kept_takes_no_seat(fleet, redis_server, monkeypatch):
    store = fleet.module("_runtime.parts.store.redis").RedisStore
    full = fleet.module("_runtime.calls.store").StoreError("The store of this server is full.")

    async def refuse(*_):
        raise full

    async with replicas(fleet, redis_server, max_tasks=1) as (one, _):
        with monkeypatch.context() as patch:
            patch.setattr(store, "put", refuse)
            assert (await Caller(one, "me").call("sink", how="tool"))["isError"]
        task = (await Caller(one, "me").call("sink", how="tool"))["taskId"]
        assert (await Caller(one, "me").until(task, *ENDED))["result"]["isError"]


async def test_values_of_another_form_are_not_seen_and_stay(fleet, redis_server, monkeypatch):
    async with replicas(fleet, redis_server) as (one, two):
        task = (await Caller(one, "me").call("sink", how="tool"))["taskId"]
        await Caller(one, "me").until(task, *ENDED)
        monkeypatch.setattr(fleet.module("_runtime.parts.store.redis"), "FORM", 2)
        async with replicas(fleet, redis_server) as (newer, _):
            with pytest.raises(Refused, match="does not exist"):
                await Caller(newer, "me").get(task)
            assert "taskId" in await Caller(newer, "me").call("sink", how="tool")
        assert (await Caller(two, "me").get(task))["result"]["isError"]


async def test_a_store_with_tls_is_that_of_the_authority(fleet, tmp_path, caplog):
    bundle, _ = company_ca.issue(tmp_path)
    port, shown = free_port(), str(tmp_path / "shown.pem")
    tls = ("--tls-port", str(port), "--tls-cert-file", shown, "--tls-key-file", shown)
    redis = RedisServer(tmp_path, *tls, "--tls-auth-clients", "no", "--tls-ca-cert-file", shown)
    try:
        url = f"rediss://127.0.0.1:{port}"
        async with replicas(fleet, redis, store=url, ca_bundle=str(bundle)) as (one, two):
            task = (await Caller(one, "me").call("sink", how="tool"))["taskId"]
            assert (await Caller(two, "me").until(task, *ENDED))["result"]["isError"]
        async with replicas(fleet, redis, store=url) as (one, _):
            refused = await Caller(one, "me").call("sink", how="tool")
            assert "store does not answer" in refused["content"][0]["text"]
        assert "CERTIFICATE_VERIFY_FAILED" in caplog.text
    finally:
        redis.kill()
