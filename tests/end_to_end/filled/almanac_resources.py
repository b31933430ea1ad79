"""Functions that read the resources. Updates keep your code."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import anyio
from mcp_types import InputRequiredResult, ListRootsRequest

from ._runtime import UNSET, Context, Media, ProtocolError, Response, Unset, completes, resource

SKY = {"type": "object", "properties": {"to": {"type": "string"}}}


class Panic(BaseException):
    """As what fails in Rust below a function."""


@resource("almanac://today")
async def today(ctx: Context) -> Response[Any]:
    """Today's page: GET /pages/today."""
    return await ctx.api.send("GET", "/pages/today", accept="*/*", expect=("2XX",))


@resource("almanac://moon")
def moon(ctx: Context) -> Any:
    """The phase of the moon."""
    return Media(b"\x89PNG moon", "image/png")


@resource("almanac://places/{place}{?year}")
async def place(ctx: Context, *, place: str, year: str | Unset = UNSET) -> Response[Any]:
    """A place in a year: GET /places/{place}."""
    return await ctx.api.send(
        "GET",
        "/places/{place}",
        path={"place": place},
        query={"y": year},
        accept="*/*",
        expect=("2XX",),
    )


@resource("almanac://stars/{name}")
async def star(ctx: Context, *, name: str) -> Any:
    """A star to steer by."""
    if name == "vega":
        raise ValueError("the password is hunter2")
    if name == "antares":
        sys.exit("the password is hunter2")
    if name == "algol":
        raise Panic("the password is hunter2")
    if name == "deneb":
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ctx.ask, "Which sky?", SKY)
        return {"name": name}
    if name == "nova":
        raise ProtocolError(-32000, "It is gone.")
    if name == "pole":
        return InputRequiredResult(input_requests={"roots": ListRootsRequest()})
    await ctx.log("info", "looking up")
    return {"name": name}


@completes("almanac://stars/{name}", "name")
async def complete_star_name(
    ctx: Context, *, value: str, given: Mapping[str, str]
) -> Sequence[str]:
    """Names of stars."""
    if value == "ask":
        return [str((await ctx.ask("Which sky?", SKY)).content["to"])]
    if value == "the one":
        return "Polaris"
    if value == "ask in a task":
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ctx.ask, "Which sky?", SKY)
    return [f"{value}-{number}-{given.get('sky', '')}" for number in range(120)]
