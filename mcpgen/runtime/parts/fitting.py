"""Choosing the media type of a request body, if the API accepts several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..calls.context import Context
from ..values.arguments import UNSET, Unset
from ..values.errors import ArgumentError

_Offer = str | Sequence[str]


def fitting(
    ctx: Context, body: Any, offered: Sequence[_Offer], asked: str | Unset = UNSET
) -> Callable[[], str]:
    """A function that chooses the media type of the body; it is called when the body is written.

    For a large body, it is called in a thread. It returns the requested type `asked`, or else the
    first type that the body fits. It raises ArgumentError if the body does not fit the requested
    type. A requested type that is not offered is ignored, such as one from an environment variable.
    The inputSchema of a tool lists alternatives for `body`; the entry of `offered` at the same
    position has the types for that alternative. An entry is a list of types, or one string, which
    may name several binary types separated by commas.
    """
    return partial(_fitting, ctx, body, offered, asked)


def _fitting(ctx: Context, body: Any, offered: Sequence[_Offer], preference: str | Unset) -> str:
    places = [
        (name, at)
        for at, offer in enumerate(offered)
        for name in ([offer] if isinstance(offer, str) else offer)
    ]
    asked = [(each, at) for name, at in places for each in _media_types(name) if each == preference]
    first, place = asked[0] if asked else places[0]
    if ctx.validator is None or isinstance(body, Unset):
        return first
    fits = partial(ctx.validator.fits, body, "properties", "body", "anyOf")
    if fits(place):
        return first
    others = [name for name, at in places if fits(at)]
    if asked and others:
        names = " and ".join(each for name in others for each in _media_types(name))
        raise ArgumentError(
            "content_type", f"is {first}, and `body` does not fit that. It fits {names}."
        )
    return others[0] if others else first


def _media_types(name: str) -> list[str]:
    return [each.strip() for each in name.split(",")]
