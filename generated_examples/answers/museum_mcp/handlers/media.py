"""Tools tagged `media`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import WelcomeResult


@tool("getPhoto")
async def get_photo(ctx: Context, *, id: int) -> Response[bytes]:
    """A photo of an object: GET /objects/{id}/photo."""
    return await ctx.api.send(
        "GET", "/objects/{id}/photo", path={"id": id}, accept="image/jpeg, image/png"
    )


@tool("getDrawing")
async def get_drawing(ctx: Context, *, id: int) -> Response[str]:
    """A drawing of an object: GET /objects/{id}/drawing."""
    return await ctx.api.send(
        "GET", "/objects/{id}/drawing", path={"id": id}, accept="image/svg+xml"
    )


@tool("hearGuide")
async def hear_guide(ctx: Context, *, room: str) -> Response[bytes]:
    """The audio guide of a room: GET /guide/{room}."""
    return await ctx.api.send("GET", "/guide/{room}", path={"room": room}, accept="audio/mpeg")


@tool("getLeaflet")
async def get_leaflet(ctx: Context) -> Response[bytes]:
    """The leaflet: GET /leaflet."""
    return await ctx.api.send("GET", "/leaflet", accept="application/pdf")


@tool("getArchive")
async def get_archive(ctx: Context) -> Response[bytes]:
    """Everything in one file: GET /archive."""
    return await ctx.api.send("GET", "/archive", accept="application/octet-stream")


@tool("visitorTable")
async def visitor_table(ctx: Context) -> Response[str]:
    """Visitors by day: GET /visitors.csv."""
    return await ctx.api.send("GET", "/visitors.csv", accept="text/csv")


@tool("welcome")
async def welcome(ctx: Context) -> Response[WelcomeResult]:
    """The words at the entrance: GET /welcome."""
    return await ctx.api.send("GET", "/welcome", declared="text/plain")


@tool("getTour")
async def get_tour(ctx: Context) -> Response[bytes]:
    """A tour in several parts: GET /tour."""
    return await ctx.api.send("GET", "/tour", accept="multipart/mixed")


@tool("getLabels")
async def get_labels(ctx: Context) -> Response[str]:
    """Labels for the printer: GET /labels."""
    return await ctx.api.send("GET", "/labels", accept="application/xml")
