"""Choosing the media type of a body that may be sent in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..calls.context import Context
from ..values.arguments import UNSET, Unset
from ..values.errors import ArgumentError


def fitting(
    ctx: Context, body: Any, offered: Sequence[str], asked: str | Unset = UNSET
) -> Callable[[], str]:
    """What chooses the media type when the body is written: for a large one that is in a thread.

    It is the one that was asked for, else the first that the body fits. The alternatives of `body`
    in the tool's inputSchema are in the order of `offered`. A media type that is not offered, such
    as one set in an environment variable, is ignored. Where the body does not fit what was asked
    for, choosing raises ArgumentError.
    """
    return partial(_fitting, ctx, body, offered, asked)


def _fitting(ctx: Context, body: Any, offered: Sequence[str], preference: str | Unset) -> str:
    is_asked = isinstance(preference, str) and preference in offered
    first = str(preference) if is_asked else offered[0]
    if ctx.validator is None or isinstance(body, Unset):
        return first
    fits = partial(ctx.validator.fits, body, "properties", "body", "anyOf")
    if fits(offered.index(first)):
        return first
    others = [media_type for at, media_type in enumerate(offered) if fits(at)]
    if is_asked and others:
        reason = f"is {first}, which `body` does not fit. It fits {' and '.join(others)}."
        raise ArgumentError("content_type", reason)
    return others[0] if others else first
