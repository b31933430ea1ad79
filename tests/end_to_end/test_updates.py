"""Resources that change while clients are connected: who may subscribe, and who is told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceUpdatedNotification

from . import changing
from .changing import environment, stdio
from .servers import generate_from

pytestmark = pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")

BOARD = "harbour://board"
BERTH = "harbour://berths/7"
HANDLER = """
from .._runtime import Context, tool
from .._runtime.parts.updates import updated

SAID = []


@tool("announce")
async def announce(ctx: Context, *, uri: str) -> str:
    updated(ctx, uri)
    SAID.append(uri)
    return "told"
"""
BOARD_SAYS = """
from ._runtime import Context
from ._runtime.parts.resources import resource
from .handlers.tools import SAID


@resource("harbour://board")
async def board(ctx: Context) -> str:
    return f"{len(SAID)} announcements"
"""


@pytest.fixture(scope="module")
def quay(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("board")
    made = generate_from("board", folder, upstream, "--package", "quay_of_news")
    package = made.folder / made.package
    (package / "handlers/tools.py").write_text(HANDLER, encoding="utf-8")
    (package / "resources.py").write_text(BOARD_SAYS, encoding="utf-8")
    return made


class News(changing.News):
    """The URIs that a client is told of."""

    def __init__(self) -> None:
        super().__init__()
        self.uris: list[str] = []

    async def hear(self, message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self._take(str(message.params.uri))

    async def follow(self, subscription: Any) -> None:
        async for event in subscription:
            self._take(event.uri)

    def _take(self, uri: str) -> None:
        self.uris.append(uri)
        self._arrived.set()


@asynccontextmanager
async def subscribed(target: Any, mode: Any, *uris: str) -> AsyncIterator[tuple[Client, News]]:
    """A client that subscribed in the way of its revision."""
    news = News()
    client = Client(target, mode=mode, message_handler=news.hear, read_timeout_seconds=20)
    async with client, anyio.create_task_group() as tasks:
        assert client.server_capabilities.resources.subscribe
        assert not client.server_capabilities.resources.list_changed
        assert not client.server_capabilities.tools.list_changed
        if mode == "legacy":
            for uri in uris:
                await client.subscribe_resource(uri)
            # Over HTTP nothing says when the stream on which it will be told is open.
            while isinstance(target, str) and not news.uris:
                await client.call_tool("announce", {"uri": uris[0]})
            yield client, news
        else:
            async with client.listen(resource_subscriptions=list(uris)) as subscription:
                assert subscription.honored.resource_subscriptions == list(uris)
                tasks.start_soon(news.follow, subscription)
                yield client, news
                tasks.cancel_scope.cancel()


async def told(target: Any, mode: Any) -> None:
    async with subscribed(target, mode, BOARD) as (client, news):
        before = (await client.read_resource(BOARD)).contents[0]
        await client.call_tool("announce", {"uri": BERTH})
        await client.call_tool("announce", {"uri": BOARD})
        await news.wait()
        assert set(news.uris) == {BOARD}
        assert (await client.read_resource(BOARD)).contents[0] != before


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_stdio(quay, mode):
    anyio.run(told, stdio(quay), mode)


def test_over_http(quay):
    with quay.over_http(environment(quay)) as url:
        for mode in ("legacy", "auto"):
            anyio.run(told, url, mode)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_uri_is_the_same_however_it_is_spelled(quay, mode):
    """Whoever announces need not encode as the client did, who is told its own spelling."""
    mine, other = "harbour://berths/Old%20Pier", "harbour://berths/Old%20Quay"

    async def main():
        server = quay.module("server").create_server(quay.module("_runtime").Settings())
        async with subscribed(server, mode, mine, other) as (client, news):
            await client.call_tool("announce", {"uri": "harbour://berths/Old Pier"})
            await news.wait()
            assert set(news.uris) == {mine}

    anyio.run(main)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_who_stays_hears_of_changes_when_another_client_has_left(quay, mode):
    async def main():
        server = quay.module("server").create_server(quay.module("_runtime").Settings())
        async with subscribed(server, mode, BOARD) as (client, news):
            async with subscribed(server, mode, BOARD) as (other, theirs):
                await other.call_tool("announce", {"uri": BOARD})
                await theirs.wait()
                await news.wait()
            await client.call_tool("announce", {"uri": BOARD})
            await news.wait()

    anyio.run(main)


def test_who_unsubscribed_hears_no_more(quay):
    async def main():
        server = quay.module("server").create_server()
        async with subscribed(server, "legacy", BOARD, BERTH) as (client, news):
            await client.unsubscribe_resource(BOARD)
            await client.unsubscribe_resource("harbour://nothing")
            await client.call_tool("announce", {"uri": BOARD})
            await client.call_tool("announce", {"uri": BERTH})
            await news.wait()
            assert news.uris == [BERTH]

    anyio.run(main)


@pytest.mark.parametrize("uri", ["harbour://rules", "harbour://nothing", ""])
def test_what_does_not_change_is_not_subscribed_to(quay, uri):
    async def main():
        server = quay.module("server").create_server()
        async with Client(server, mode="legacy") as client:
            with pytest.raises(MCPError) as refused:
                await client.subscribe_resource(uri)
            assert refused.value.error.code == -32602
            assert refused.value.error.data == {"uri": uri}
        async with (
            Client(quay.module("server").create_server()) as client,
            client.listen(resource_subscriptions=[uri, BOARD]) as subscription,
        ):
            assert subscription.honored.resource_subscriptions == [BOARD]

    anyio.run(main)


def test_a_handler_cannot_announce_what_does_not_change(quay):
    assert quay.call("announce", {"uri": "harbour://rules"}).result.is_error


def test_subscriptions_of_a_client_are_bounded(quay, monkeypatch):
    for module in ("listening", "updates"):
        monkeypatch.setattr(quay.module(f"_runtime.parts.{module}"), "MOST_SUBJECTS", 2)

    async def main():
        uris = [f"harbour://berths/{number}" for number in range(3)]
        async with Client(quay.module("server").create_server(), mode="legacy") as client:
            for uri in uris[:2]:
                await client.subscribe_resource(uri)
            with pytest.raises(MCPError, match="Too many subscriptions"):
                await client.subscribe_resource(uris[2])
            await client.unsubscribe_resource(uris[0])
            await client.subscribe_resource(uris[2])
        async with (
            Client(quay.module("server").create_server()) as client,
            client.listen(resource_subscriptions=uris) as subscription,
        ):
            assert subscription.honored.resource_subscriptions == uris[:2]

    anyio.run(main)


def test_a_burst_is_told_once_more_at_most(quay):
    async def main():
        async with subscribed(stdio(quay), "auto", BOARD) as (client, news):
            for _ in range(20):
                await client.call_tool("announce", {"uri": BOARD})
            await news.wait()
            assert len(news.uris) < 20

    anyio.run(main)


def test_where_nothing_changes_nobody_can_subscribe(almanac):
    modules = {path.stem for path in (almanac.folder / almanac.package / "_runtime").rglob("*.py")}
    assert "resources" in modules
    assert not {"updates", "listening"} & modules

    async def main(client):
        return client.server_capabilities.resources.subscribe

    assert not almanac.use(main)


def test_the_server_itself_announces_from_any_thread(quay):
    updated = quay.module("_runtime.parts.updates").updated

    async def main():
        server = quay.module("server").create_server()
        async with (
            Client(server) as client,
            client.listen(resource_subscriptions=[BOARD]) as subscription,
        ):
            await anyio.to_thread.run_sync(updated, server, BOARD)
            with anyio.fail_after(20):
                assert (await anext(subscription)).uri == BOARD

    anyio.run(main)
