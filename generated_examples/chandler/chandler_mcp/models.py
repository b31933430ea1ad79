"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Item(TypedDict):
    sku: str
    price: int
    parts: NotRequired[list[Item]]


class QuoteResult(TypedDict):
    total: int
    lines: NotRequired[list[str]]
