"""Tools tagged `books` of bookshop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import BookPage, BookshopBook, Condition, ListBooksFilter


@tool("listBooks")
async def list_books(
    ctx: Context,
    *,
    filter: ListBooksFilter | Unset = UNSET,
    genre: list[Literal["crime", "essay", "fantasy", "poetry", "travel"]] | Unset = UNSET,
    sort: Literal["newest", "title", "price", "-price"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[BookPage]:
    """List books: GET /books."""
    return await ctx.apis["bookshop"].send(
        "GET",
        "/books",
        query={
            "filter": style.deep_object(filter),
            "genre": genre,
            "sort": sort,
            "limit": limit,
            "cursor": cursor,
        },
    )


@tool("addBook")
async def add_book(
    ctx: Context,
    *,
    title: str,
    price: int,
    condition: Condition,
    subtitle: str | None | Unset = UNSET,
    isbn: str | Unset = UNSET,
    genres: list[str] | Unset = UNSET,
    author_ids: list[int] | Unset = UNSET,
) -> Response[BookshopBook]:
    """Add a book: POST /books."""
    return await ctx.apis["bookshop"].send(
        "POST",
        "/books",
        json={
            "title": title,
            "subtitle": subtitle,
            "isbn": isbn,
            "price": price,
            "condition": condition,
            "genres": genres,
            "author_ids": author_ids,
        },
        expect=("201",),
    )


@tool("getBook")
async def get_book(ctx: Context, *, book_id: int) -> Response[BookshopBook]:
    """Look a book up: GET /books/{book_id}."""
    return await ctx.apis["bookshop"].send("GET", "/books/{book_id}", path={"book_id": book_id})


@tool("replaceBook")
async def replace_book(
    ctx: Context,
    *,
    book_id: int,
    title: str,
    price: int,
    condition: Condition,
    subtitle: str | None | Unset = UNSET,
    isbn: str | Unset = UNSET,
    genres: list[str] | Unset = UNSET,
    author_ids: list[int] | Unset = UNSET,
) -> Response[BookshopBook]:
    """Replace a book's entry: PUT /books/{book_id}."""
    return await ctx.apis["bookshop"].send(
        "PUT",
        "/books/{book_id}",
        path={"book_id": book_id},
        json={
            "title": title,
            "subtitle": subtitle,
            "isbn": isbn,
            "price": price,
            "condition": condition,
            "genres": genres,
            "author_ids": author_ids,
        },
    )


@tool("updateBook")
async def update_book(
    ctx: Context,
    *,
    book_id: int,
    notify: bool | Unset = UNSET,
    title: str | Unset = UNSET,
    subtitle: str | None | Unset = UNSET,
    price: int | Unset = UNSET,
    condition: Condition | Unset = UNSET,
) -> Response[BookshopBook]:
    """Change some fields of a book: PATCH /books/{book_id}."""
    return await ctx.apis["bookshop"].send(
        "PATCH",
        "/books/{book_id}",
        path={"book_id": book_id},
        query={"notify": notify},
        json={"title": title, "subtitle": subtitle, "price": price, "condition": condition},
    )


@tool("removeBook")
async def remove_book(ctx: Context, *, book_id: int) -> Response[None]:
    """Take a book out of the catalogue: DELETE /books/{book_id}."""
    return await ctx.apis["bookshop"].send(
        "DELETE", "/books/{book_id}", path={"book_id": book_id}, accept="*/*", expect=("204",)
    )


@tool("getCover")
async def get_cover(ctx: Context, *, book_id: int, width: int | Unset = UNSET) -> Response[bytes]:
    """Show a book's cover: GET /books/{book_id}/cover."""
    return await ctx.apis["bookshop"].send(
        "GET",
        "/books/{book_id}/cover",
        path={"book_id": book_id},
        query={"width": width},
        accept="image/png",
    )
