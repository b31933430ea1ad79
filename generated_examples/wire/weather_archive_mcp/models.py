"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypeAlias, TypedDict


class Area(TypedDict):
    """Where, in degrees and by name."""

    lat: NotRequired[int]
    lon: NotRequired[int]
    name: NotRequired[str]


Sensors: TypeAlias = list[str]


Years: TypeAlias = list[int]


class PathSimpleResult(TypedDict):
    readings: list[float]


class PathSimpleExplodedResult(TypedDict):
    readings: list[float]


class PathLabelResult(TypedDict):
    readings: list[float]


class PathLabelExplodedResult(TypedDict):
    readings: list[float]


class PathMatrixResult(TypedDict):
    readings: list[float]


class PathMatrixExplodedResult(TypedDict):
    readings: list[float]


class GetTileResult(TypedDict):
    readings: list[float]


class PlaceForecastResult(TypedDict):
    readings: list[float]


class QueryFormResult(TypedDict):
    readings: list[float]


class QueryFormJoinedResult(TypedDict):
    readings: list[float]


class QuerySpacesResult(TypedDict):
    readings: list[float]


class QueryPipesResult(TypedDict):
    readings: list[float]


class QueryDeepFilterValueUnit(TypedDict):
    symbol: NotRequired[str]


class QueryDeepFilterValue(TypedDict):
    above: NotRequired[float]
    below: NotRequired[float]
    unit: NotRequired[QueryDeepFilterValueUnit]


class QueryDeepFilter(TypedDict):
    """Objects within objects; every level is one pair of brackets."""

    sensor: NotRequired[str]
    value: NotRequired[QueryDeepFilterValue]
    quality: NotRequired[list[str]]


class QueryDeepResult(TypedDict):
    readings: list[float]


class QueryContentWhere(TypedDict):
    """A condition, as JSON."""

    area: NotRequired[Area]
    years: NotRequired[Years]
    station: NotRequired[str | None]


class QueryContentResult(TypedDict):
    readings: list[float]


class QueryReservedResult(TypedDict):
    readings: list[float]


class SendHeadersResult(TypedDict):
    readings: list[float]


class SendCookiesResult(TypedDict):
    readings: list[float]


class SendNullsResult(TypedDict):
    readings: list[float]


class MeetResult(TypedDict):
    readings: list[float]


class MeetBodyBody(TypedDict):
    id: str
    value: NotRequired[float]


class MeetBodyResult(TypedDict):
    readings: list[float]


class ImportResult(TypedDict):
    readings: list[float]
