"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Line(TypedDict):
    id: str
    name: NotRequired[str]
    colour: NotRequired[str | None]


class Position(TypedDict):
    lat: float
    lon: float


class Stop(TypedDict):
    name: str
    position: NotRequired[Position]
    code: NotRequired[str]
    roof: NotRequired[bool]


class DeparturesIdGet200ApplicationJson(TypedDict):
    id: str
    in_minutes: NotRequired[int | None]
    line: NotRequired[Line]


class NextDeparturesResult(TypedDict):
    departures: list[DeparturesIdGet200ApplicationJson]


class GetDepartureResult(TypedDict):
    id: str
    in_minutes: NotRequired[int | None]
    line: NotRequired[Line]
