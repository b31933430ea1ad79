"""Streams of notifications."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp_types import SubscriptionFilter, SubscriptionsListenRequestParams

from mcpgen.runtime.features.listening import Listening

pytestmark = pytest.mark.anyio


async def test_a_stream_that_begins_when_the_server_ends_is_answered() -> None:
    """Its request may have been read just before: nobody would end it any more."""
    told: list[str] = []

    async def send_notification(notification: Any, _: object) -> None:
        told.append(notification.method)

    session = SimpleNamespace(send_notification=send_notification)
    request: Any = SimpleNamespace(request_id=1, session=session)
    listening = Listening()
    listening.close()
    with anyio.fail_after(5):
        result = await listening(
            request, SubscriptionsListenRequestParams(notifications=SubscriptionFilter())
        )
    assert told == ["notifications/subscriptions/acknowledged"]
    assert result.meta == {"io.modelcontextprotocol/subscriptionId": 1}
