"""Tools tagged `mixed`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import ImportResult, MeetBodyBody, MeetBodyResult, MeetResult, SendNullsResult


@tool("sendNulls", x_unit="X-Unit")
async def send_nulls(
    ctx: Context,
    *,
    place: str | None,
    unit: str | None | Unset = UNSET,
    years: list[int] | None | Unset = UNSET,
    x_unit: str | None | Unset = UNSET,
    unit_of_cookie: str | None | Unset = UNSET,
) -> Response[SendNullsResult]:
    """Parameters that may be null: GET /nulls/{place}."""
    return await ctx.api.send(
        "GET",
        "/nulls/{place}",
        path={"place": place},
        query={"unit": unit, "years": years},
        header={"X-Unit": x_unit},
        cookie={"unit_of_cookie": unit_of_cookie},
    )


@tool("meet")
async def meet(
    ctx: Context,
    *,
    id_path: str,
    id_query: int | Unset = UNSET,
    unit: Literal["metric", "imperial"] | Unset = UNSET,
    id_header: str | Unset = UNSET,
    id_cookie: str | Unset = UNSET,
) -> Response[MeetResult]:
    """Four parameters of one name: GET /meet/{id}."""
    return await ctx.api.send(
        "GET",
        "/meet/{id}",
        path={"id": id_path},
        query={"id": id_query, "unit": unit},
        header={"id": id_header},
        cookie={"id": id_cookie},
    )


@tool("meetBody")
async def meet_body(
    ctx: Context,
    *,
    id_path: str,
    body: MeetBodyBody,
    id_query: int | Unset = UNSET,
    unit: Literal["metric"] | Unset = UNSET,
) -> Response[MeetBodyResult]:
    """A parameter and a property of one name: POST /meet/{id}."""
    return await ctx.api.send(
        "POST", "/meet/{id}", path={"id": id_path}, query={"id": id_query, "unit": unit}, json=body
    )


@tool(
    "import",
    class_="class",
    from_="from",
    self_="self",
    ctx_="ctx",
    style_="style",
    arg_2nd="2nd",
    page_size_8a00a4="pageSize",
)
async def import_(
    ctx: Context,
    *,
    class_: str,
    from_: int,
    self_: str | Unset = UNSET,
    ctx_: str | Unset = UNSET,
    style_: str | Unset = UNSET,
    arg_2nd: str | Unset = UNSET,
    page_size_8a00a4: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
    top: int | Unset = UNSET,
    grosse: str | Unset = UNSET,
) -> Response[ImportResult]:
    """Names that are words of a programming language: GET /python/{class}/{from}."""
    return await ctx.api.send(
        "GET",
        "/python/{class}/{from}",
        path={"class": class_, "from": from_},
        query={
            "self": self_,
            "ctx": ctx_,
            "style": style_,
            "2nd": arg_2nd,
            "pageSize": page_size_8a00a4,
            "page_size": page_size,
            "$top": top,
            "größe": grosse,
        },
    )
