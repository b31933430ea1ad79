"""Looking into the body of an HTTP request before whoever answers it reads it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message, Receive


async def peeked(receive: Receive, largest: int) -> tuple[Receive, bytes]:
    """The beginning of the body, and a `receive` that replays it."""
    messages: deque[Message] = deque()
    body = bytearray()
    while len(body) <= largest:
        message = await receive()
        messages.append(message)
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body", False):
            break

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again, bytes(body)
