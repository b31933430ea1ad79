"""Tools tagged `keyrings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import (
        KeyAsParameterResult,
        WithBothResult,
        WithChoiceResult,
        WithEitherResult,
        WithOrWithoutResult,
        WithThreeResult,
    )


@tool("withBoth")
async def with_both(ctx: Context) -> Response[WithBothResult]:
    """A key and a token, both: GET /keyrings/both."""
    return await ctx.api.send("GET", "/keyrings/both", security=[{"office_key": [], "pilot": []}])


@tool("withThree")
async def with_three(ctx: Context) -> Response[WithThreeResult]:
    """Keys in three places, all of them: GET /keyrings/three."""
    return await ctx.api.send(
        "GET", "/keyrings/three", security=[{"office_key": [], "gate_key": [], "pier_pass": []}]
    )


@tool("withEither")
async def with_either(ctx: Context) -> Response[WithEitherResult]:
    """A password or a token: GET /keyrings/either."""
    return await ctx.api.send("GET", "/keyrings/either", security=[{"clerk": []}, {"pilot": []}])


@tool("withChoice")
async def with_choice(ctx: Context) -> Response[WithChoiceResult]:
    """A key with a token, or a key with a cookie: GET /keyrings/choice."""
    return await ctx.api.send(
        "GET",
        "/keyrings/choice",
        security=[{"office_key": [], "agency": ["berths:read"]}, {"gate_key": [], "pier_pass": []}],
    )


@tool("withOrWithout")
async def with_or_without(ctx: Context) -> Response[WithOrWithoutResult]:
    """A token, or nothing: GET /keyrings/optional."""
    return await ctx.api.send("GET", "/keyrings/optional", security=[{"pilot": []}, {}])


@tool("keyAsParameter")
async def key_as_parameter(
    ctx: Context, *, ship: str | Unset = UNSET
) -> Response[KeyAsParameterResult]:
    """A parameter that is a key: GET /keyrings/asked."""
    return await ctx.api.send(
        "GET", "/keyrings/asked", query={"ship": ship}, security=[{"office_key": []}]
    )
