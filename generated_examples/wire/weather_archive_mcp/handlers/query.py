"""Tools tagged `query`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import (
        Area,
        QueryContentResult,
        QueryContentWhere,
        QueryDeepFilter,
        QueryDeepResult,
        QueryFormJoinedResult,
        QueryFormResult,
        QueryPipesResult,
        QueryReservedResult,
        QuerySpacesResult,
        Sensors,
        Years,
    )


@tool("queryForm")
async def query_form(
    ctx: Context,
    *,
    station: str | Unset = UNSET,
    sensors: Sensors | Unset = UNSET,
    area: Area | Unset = UNSET,
    hourly: bool | Unset = UNSET,
    above: float | Unset = UNSET,
) -> Response[QueryFormResult]:
    """Measurements by query, form style: GET /query/form."""
    return await ctx.api.send(
        "GET",
        "/query/form",
        query={
            "station": station,
            "sensors": sensors,
            "area": area,
            "hourly": hourly,
            "above": above,
        },
    )


@tool("queryFormJoined")
async def query_form_joined(
    ctx: Context,
    *,
    station: str | Unset = UNSET,
    sensors: Sensors | Unset = UNSET,
    area: Area | Unset = UNSET,
) -> Response[QueryFormJoinedResult]:
    """Measurements by query, form style, joined with commas: GET /query/form-joined."""
    return await ctx.api.send(
        "GET",
        "/query/form-joined",
        query={
            "station": style.form(station, explode=False),
            "sensors": style.form(sensors, explode=False),
            "area": style.form(area, explode=False),
        },
    )


@tool("querySpaces")
async def query_spaces(
    ctx: Context,
    *,
    sensors: Sensors | Unset = UNSET,
    area: Area | Unset = UNSET,
    years: Years | Unset = UNSET,
) -> Response[QuerySpacesResult]:
    """Measurements by query, joined with blanks: GET /query/spaces."""
    return await ctx.api.send(
        "GET",
        "/query/spaces",
        query={
            "sensors": style.space_delimited(sensors),
            "area": style.space_delimited(area),
            "years": style.space_delimited(years, explode=True),
        },
    )


@tool("queryPipes")
async def query_pipes(
    ctx: Context,
    *,
    sensors: Sensors | Unset = UNSET,
    area: Area | Unset = UNSET,
    years: Years | Unset = UNSET,
) -> Response[QueryPipesResult]:
    """Measurements by query, joined with bars: GET /query/pipes."""
    return await ctx.api.send(
        "GET",
        "/query/pipes",
        query={
            "sensors": style.pipe_delimited(sensors),
            "area": style.pipe_delimited(area),
            "years": style.pipe_delimited(years, explode=True),
        },
    )


@tool("queryDeep")
async def query_deep(
    ctx: Context, *, area: Area | Unset = UNSET, filter: QueryDeepFilter | Unset = UNSET
) -> Response[QueryDeepResult]:
    """Measurements by query, brackets: GET /query/deep."""
    return await ctx.api.send(
        "GET",
        "/query/deep",
        query={"area": style.deep_object(area), "filter": style.deep_object(filter)},
    )


@tool("queryContent")
async def query_content(
    ctx: Context, *, where: QueryContentWhere | Unset = UNSET, words: str | Unset = UNSET
) -> Response[QueryContentResult]:
    """Measurements by query, as JSON: GET /query/content."""
    return await ctx.api.send(
        "GET", "/query/content", query={"where": style.json(where), "words": style.text(words)}
    )


@tool("queryReserved")
async def query_reserved(
    ctx: Context,
    *,
    address: str | Unset = UNSET,
    phrase: str | Unset = UNSET,
    note: str | Unset = UNSET,
    marks: list[str] | Unset = UNSET,
    odd_name: list[str] | Unset = UNSET,
) -> Response[QueryReservedResult]:
    """Measurements by an address or a phrase: GET /query/reserved."""
    return await ctx.api.send(
        "GET",
        "/query/reserved",
        query={
            "address": style.form(address, allow_reserved=True),
            "phrase": phrase,
            "note": note,
            "marks": style.form(marks, allow_empty=True),
            "odd name[]&=": odd_name,
        },
    )
