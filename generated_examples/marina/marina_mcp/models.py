"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Berth(TypedDict):
    number: int
    length: NotRequired[float]
    free: NotRequired[bool]
    neighbour: NotRequired[Berth]


class Ship(TypedDict):
    name: str
    length: float
    flag: NotRequired[str | None]


class SearchShipsQuery(TypedDict):
    name: NotRequired[str]
    tons: NotRequired[list[Any]]
