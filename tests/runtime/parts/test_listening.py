"""Streams of notifications."""

from types import SimpleNamespace

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import SubscriptionFilter, SubscriptionsListenRequestParams

from mcpgen.runtime.parts.listening import Listening


async def test_a_stream_that_begins_when_the_server_ends_is_answered():
    """Its request may have been read just before: nobody would end it any more."""
    told = []

    async def send_notification(notification, _):
        told.append(notification.method)

    session = SimpleNamespace(send_notification=send_notification)
    lifespan = SimpleNamespace(caller_headers=())
    request = SimpleNamespace(
        request_id=1, session=session, request=None, lifespan_context=lifespan
    )
    listening = Listening()
    listening.close()
    with anyio.fail_after(5):
        result = await listening(
            request, SubscriptionsListenRequestParams(notifications=SubscriptionFilter())
        )
    assert told == ["notifications/subscriptions/acknowledged"]
    assert result.meta == {"io.modelcontextprotocol/subscriptionId": 1}


async def test_one_caller_has_a_share_of_the_streams(monkeypatch):
    monkeypatch.setattr("mcpgen.runtime.parts.listening.MOST_STREAMS", 4)

    async def send_notification(*_):
        pass

    def asking(token):
        return SimpleNamespace(
            request_id=1,
            session=SimpleNamespace(send_notification=send_notification),
            request=SimpleNamespace(headers={"authorization": token}),
            lifespan_context=SimpleNamespace(caller_headers=("authorization",)),
        )

    listening = Listening()
    wanted = SubscriptionsListenRequestParams(notifications=SubscriptionFilter())
    async with anyio.create_task_group() as streams:
        for token in ("a", "a", "b"):
            streams.start_soon(listening, asking(token), wanted)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(MCPError, match="of yours"):
            await listening(asking("a"), wanted)
        streams.start_soon(listening, asking("b"), wanted)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(MCPError, match="Too many clients listen"):
            await listening(asking("c"), wanted)
        listening.close()
    assert not listening._streams
