"""Tools tagged `headers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import Area, SendCookiesResult, SendHeadersResult, Sensors, Years


@tool(
    "sendHeaders",
    x_station="X-Station",
    x_sensors="X-Sensors",
    x_area="X-Area",
    x_area_exploded="X-Area-Exploded",
    x_years="X-Years",
    x_hourly="X-Hourly",
    x_where="X-Where",
)
async def send_headers(
    ctx: Context,
    *,
    x_station: str | Unset = UNSET,
    x_sensors: Sensors | Unset = UNSET,
    x_area: Area | Unset = UNSET,
    x_area_exploded: Area | Unset = UNSET,
    x_years: Years | Unset = UNSET,
    x_hourly: bool | Unset = UNSET,
    x_where: Area | Unset = UNSET,
) -> Response[SendHeadersResult]:
    """Measurements by headers: GET /headers."""
    return await ctx.api.send(
        "GET",
        "/headers",
        header={
            "X-Station": x_station,
            "X-Sensors": x_sensors,
            "X-Area": x_area,
            "X-Area-Exploded": style.simple(x_area_exploded, explode=True),
            "X-Years": x_years,
            "X-Hourly": x_hourly,
            "X-Where": style.json(x_where),
        },
        security=[{"Authorization": []}, {}],
    )


@tool("sendCookies")
async def send_cookies(
    ctx: Context,
    *,
    station: str | Unset = UNSET,
    sensors: Sensors | Unset = UNSET,
    area: Area | Unset = UNSET,
    years: Years | Unset = UNSET,
) -> Response[SendCookiesResult]:
    """Measurements by cookies: GET /cookies."""
    return await ctx.api.send(
        "GET",
        "/cookies",
        cookie={
            "station": station,
            "sensors": style.form(sensors, explode=False),
            "area": style.form(area, explode=False),
            "years": style.json(years),
        },
    )
