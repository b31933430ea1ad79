"""Tools tagged `stars`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import (
        CopyStarsResult,
        FindStarsCondition,
        FindStarsResult,
        ListStarsResult,
        ListStarsSelection,
        MyStarsResult,
        SearchStarsResult,
    )


@tool("searchStars")
async def search_stars(
    ctx: Context,
    *,
    constellation: str | Unset = UNSET,
    brighter_than: float | None | Unset = UNSET,
    spectral: list[str] | Unset = UNSET,
) -> Response[SearchStarsResult]:
    """Search for stars: QUERY /stars."""
    return await ctx.api.send(
        "QUERY",
        "/stars",
        json={"constellation": constellation, "brighter_than": brighter_than, "spectral": spectral},
    )


@tool("listStars")
async def list_stars(
    ctx: Context, *, selection: ListStarsSelection | Unset = UNSET
) -> Response[ListStarsResult]:
    """List stars: GET /stars."""
    return await ctx.api.send("GET", "/stars", querystring=selection)


@tool("copyStars")
async def copy_stars(ctx: Context, *, to: str) -> Response[CopyStarsResult]:
    """Copy the catalogue: COPY /stars."""
    return await ctx.api.send("COPY", "/stars", json={"to": to})


@tool("findStars")
async def find_stars(ctx: Context, *, condition: FindStarsCondition) -> Response[FindStarsResult]:
    """Find stars by a condition: GET /stars/find."""
    return await ctx.api.send("GET", "/stars/find", querystring=style.json(condition))


@tool("myStars")
async def my_stars(
    ctx: Context, *, observer: str | Unset = UNSET, groups: list[str] | Unset = UNSET
) -> Response[MyStarsResult]:
    """Stars that I follow: GET /stars/mine."""
    return await ctx.api.send(
        "GET",
        "/stars/mine",
        cookie={"observer": style.cookie(observer), "groups": style.cookie(groups)},
    )


@tool("linkStar")
async def link_star(ctx: Context, *, star: str, to: str) -> Response[None]:
    """Link a star to another: LINK /stars/{star}."""
    return await ctx.api.send(
        "LINK",
        "/stars/{star}",
        path={"star": star},
        query={"to": to},
        accept="*/*",
        expect=("204",),
    )
