"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Book(TypedDict):
    title: str
    crates: NotRequired[int]


class Author(TypedDict):
    id: int
    name: str
    born: NotRequired[str | None]


Condition: TypeAlias = Literal["new", "used", "worn"]


class BookshopBook(TypedDict):
    """A book of the catalogue."""

    title: str
    subtitle: NotRequired[str | None]
    isbn: NotRequired[str]
    price: int
    condition: Condition
    genres: NotRequired[list[str]]
    author_ids: NotRequired[list[int]]
    id: NotRequired[int]


class BookPage(TypedDict):
    items: list[BookshopBook]
    next: NotRequired[str | None]


class OrderLine(TypedDict):
    book_id: int
    copies: NotRequired[int]


class Order(TypedDict):
    id: str
    status: Literal["reserved", "paid", "collected", "expired"]
    lines: list[OrderLine]
    total: NotRequired[int]


class AdviseResult(TypedDict):
    where: Literal["quay", "shop", "nowhere"]
    crates: NotRequired[int]


class ListBooksFilter(TypedDict):
    """Only books that match every given field."""

    language: NotRequired[str]
    condition: NotRequired[Condition]
    max_price: NotRequired[int]
