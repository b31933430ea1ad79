"""Choosing the media type of a body that may be sent in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..calls.context import Context
from ..values.unset import UNSET, Unset


def fitting(
    ctx: Context, body: Any, offered: Sequence[str], asked: str | Unset = UNSET
) -> Callable[[], str]:
    """What chooses the media type when the body is written: for a large one that is in a thread.

    It is the one that was asked for, else the first, unless the body fits only others. The
    alternatives of `body` in the tool's inputSchema are in the order of `offered`. A media type
    that is not offered, such as one set in an environment variable, is ignored.
    """
    return partial(_fitting, ctx, body, offered, asked)


def _fitting(ctx: Context, body: Any, offered: Sequence[str], asked: str | Unset) -> str:
    first = asked if isinstance(asked, str) and asked in offered else offered[0]
    if ctx.validator is None or isinstance(body, Unset):
        return first
    for media_type in (first, *offered):
        place = ("properties", "body", "anyOf", offered.index(media_type))
        if ctx.validator.fits(body, *place):
            return media_type
    return first
