"""Resources whose content changes while clients are connected.

    from .._runtime import updated

    updated(ctx, "harbour://board")

That is for a handler; in `hooks.lifespan(server)`, write `updated(server, uri)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from . import listening
from .listening import MOST_SUBJECTS, Kind, Listening, Topic
from .resources import Resources

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.context import Context
    from ..calls.server import ServerParts

_METHOD = "notifications/resources/updated"


def updated(of: Context | Server[Any], uri: str) -> None:
    """Notify a resource's subscribers that it has changed; may be called from any thread.

    Raises:
        ValueError: the tool file has no such resource with `subscribe: true`.
    """
    listening.part(of, "updates").publish(uri)


class Updates:
    """The subscriptions to resources, for clients of older and of newer protocol versions."""

    def __init__(self, resources: Resources, listeners: Listening) -> None:
        self._resources = resources
        self._listeners = listeners

    def publish(self, uri: str) -> None:
        """Notify a resource's subscribers; raises ValueError for a resource that cannot change."""
        if not self.has(uri):
            raise ValueError(f"no resource with `subscribe: true` has the URI {uri}")
        self._listeners.changed(Topic(_METHOD, uri))

    def has(self, uri: str) -> bool:
        """Whether clients can subscribe to a resource (only if every caller may read it)."""
        return bool(self._resources.served_at(uri).get("subscribe"))

    async def subscribe(
        self, request: ServerRequestContext[Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Answer `resources/subscribe` of clients before 2026-07-28."""
        listener = self._listeners.older(request)
        if listener is None:
            raise MCPError(types.METHOD_NOT_FOUND, "No notification can reach this client")
        if not self.has(params.uri):
            message = "This URI is not a resource with subscriptions"
            raise MCPError(types.INVALID_PARAMS, message, {"uri": params.uri})
        if len(listener.topics) > MOST_SUBJECTS:
            raise MCPError(types.INVALID_PARAMS, "Too many subscriptions: end others first")
        topic = Topic(_METHOD, params.uri)
        listener.topics[topic.plain] = topic
        return types.EmptyResult()

    async def unsubscribe(
        self, request: ServerRequestContext[Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Answer `resources/unsubscribe`; succeeds even without a subscription."""
        listener = self._listeners.older(request)
        if listener is not None:
            listener.topics.pop(Topic(_METHOD, params.uri).plain, None)
        return types.EmptyResult()


NEEDS = ("listening", "resources")
NEEDS_SESSION = True


def install(parts: ServerParts) -> Updates:
    """Let clients subscribe to the resources that the tool file declares as changing."""
    server = parts.server
    listeners = listening.of(server)
    updates = Updates(Resources(parts), listeners)
    may_hear, about = (lambda _, uri: updates.has(uri)), (lambda uri: {"uri": uri})
    listeners.add(Kind("resourceSubscriptions", _METHOD, may_hear, about))
    listeners.parts["updates"] = updates
    server.add_request_handler(
        "resources/subscribe", types.SubscribeRequestParams, updates.subscribe
    )
    server.add_request_handler(
        "resources/unsubscribe", types.UnsubscribeRequestParams, updates.unsubscribe
    )
    return updates
