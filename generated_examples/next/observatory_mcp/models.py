"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Observation(TypedDict):
    star: str
    at: str
    seen: NotRequired[bool | None]


class Star(TypedDict):
    name: str
    magnitude: NotRequired[float]


class SearchStarsResult(TypedDict):
    stars: NotRequired[list[Star]]


class ListStarsSelection(TypedDict):
    """What to list."""

    name: NotRequired[str]
    catalogue: NotRequired[list[str]]
    limit: NotRequired[int]


class ListStarsResult(TypedDict):
    stars: NotRequired[list[Star]]


class CopyStarsResult(TypedDict):
    stars: NotRequired[list[Star]]


class FindStarsCondition(TypedDict):
    above: NotRequired[float]
    names: NotRequired[list[str]]


class FindStarsResult(TypedDict):
    stars: NotRequired[list[Star]]


class MyStarsResult(TypedDict):
    stars: NotRequired[list[Star]]
