"""Tools tagged `path`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import Context, Response, style, tool

if TYPE_CHECKING:
    from ..models import (
        Area,
        GetTileResult,
        PathLabelExplodedResult,
        PathLabelResult,
        PathMatrixExplodedResult,
        PathMatrixResult,
        PathSimpleExplodedResult,
        PathSimpleResult,
        PlaceForecastResult,
        Sensors,
    )


@tool("pathSimple")
async def path_simple(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathSimpleResult]:
    """Measurements by path, simple style: GET /simple/{station}/{sensors}/{area}."""
    return await ctx.api.send(
        "GET",
        "/simple/{station}/{sensors}/{area}",
        path={"station": station, "sensors": sensors, "area": area},
    )


@tool("pathSimpleExploded")
async def path_simple_exploded(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathSimpleExplodedResult]:
    """Measurements by path, simple style, exploded.

    GET /simple-exploded/{station}/{sensors}/{area}
    """
    return await ctx.api.send(
        "GET",
        "/simple-exploded/{station}/{sensors}/{area}",
        path={
            "station": style.simple(station, explode=True),
            "sensors": style.simple(sensors, explode=True),
            "area": style.simple(area, explode=True),
        },
    )


@tool("pathLabel")
async def path_label(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathLabelResult]:
    """Measurements by path, label style: GET /label/{station}/{sensors}/{area}."""
    return await ctx.api.send(
        "GET",
        "/label/{station}/{sensors}/{area}",
        path={
            "station": style.label(station),
            "sensors": style.label(sensors),
            "area": style.label(area),
        },
    )


@tool("pathLabelExploded")
async def path_label_exploded(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathLabelExplodedResult]:
    """Measurements by path, label style, exploded.

    GET /label-exploded/{station}/{sensors}/{area}
    """
    return await ctx.api.send(
        "GET",
        "/label-exploded/{station}/{sensors}/{area}",
        path={
            "station": style.label(station, explode=True),
            "sensors": style.label(sensors, explode=True),
            "area": style.label(area, explode=True),
        },
    )


@tool("pathMatrix")
async def path_matrix(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathMatrixResult]:
    """Measurements by path, matrix style: GET /matrix/{station}/{sensors}/{area}."""
    return await ctx.api.send(
        "GET",
        "/matrix/{station}/{sensors}/{area}",
        path={
            "station": style.matrix(station),
            "sensors": style.matrix(sensors),
            "area": style.matrix(area),
        },
    )


@tool("pathMatrixExploded")
async def path_matrix_exploded(
    ctx: Context, *, station: str, sensors: Sensors, area: Area
) -> Response[PathMatrixExplodedResult]:
    """Measurements by path, matrix style, exploded.

    GET /matrix-exploded/{station}/{sensors}/{area}
    """
    return await ctx.api.send(
        "GET",
        "/matrix-exploded/{station}/{sensors}/{area}",
        path={
            "station": style.matrix(station, explode=True),
            "sensors": style.matrix(sensors, explode=True),
            "area": style.matrix(area, explode=True),
        },
    )


@tool("getTile")
async def get_tile(
    ctx: Context, *, zoom: int, x: int, y: int, format: Literal["json", "geojson"]
) -> Response[GetTileResult]:
    """A map tile: GET /tiles/{zoom}/{x}-{y}.{format}."""
    return await ctx.api.send(
        "GET",
        "/tiles/{zoom}/{x}-{y}.{format}",
        path={"zoom": zoom, "x": x, "y": y, "format": format},
    )


@tool("placeForecast")
async def place_forecast(ctx: Context, *, place: Area) -> Response[PlaceForecastResult]:
    """The forecast for a place: GET /places/{place}/forecast."""
    return await ctx.api.send("GET", "/places/{place}/forecast", path={"place": style.json(place)})
