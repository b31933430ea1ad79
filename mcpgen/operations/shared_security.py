"""The `security` that most requests of an API share, so that it is written only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from ..api import Api, HttpCall, Offer, SecurityRequirement, Tool

_Ways = tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


def lifted(api: Api) -> Api:
    """The Api with a default `security`: the one that more than half of its requests state.

    All other requests keep their own `security`, even if it is empty. The requests of resources and
    prompts count too.
    """
    stated = Counter(_key(call.security) for call in _calls(api) if call.security)
    ways, count = stated.most_common(1)[0] if stated else ((), 0)
    if 2 * count <= sum(1 for _ in _calls(api)):
        return api
    shared = tuple(dict(way) for way in ways)

    def of(tool: Tool) -> Tool:
        if tool.http is None:
            return tool
        own = tool.http.security or ()
        security = None if _key(own) == ways else own
        return replace(tool, http=replace(tool.http, security=security))

    def of_offer(offer: Offer) -> Offer:
        function = offer.function
        return offer if function is None else replace(offer, function=of(function))

    return replace(
        api,
        security=shared,
        tools=tuple(map(of, api.tools)),
        resources=tuple(map(of_offer, api.resources)),
        prompts=tuple(map(of_offer, api.prompts)),
    )


def _calls(api: Api) -> Iterator[HttpCall]:
    functions = (offer.function for offer in (*api.resources, *api.prompts))
    for each in (*api.tools, *functions):
        if each is not None and each.http is not None:
            yield each.http


def _key(security: tuple[SecurityRequirement, ...] | None) -> _Ways:
    """The alternatives in order, each with its schemes and scopes, as a hashable value."""
    return tuple(tuple(way.items()) for way in security or ())
