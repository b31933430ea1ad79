"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ExhibitRoom(TypedDict):
    floor: NotRequired[int]
    name: NotRequired[str]


class Exhibit(TypedDict):
    id: int
    name: str
    found: NotRequired[str | None]
    insured: NotRequired[int]
    room: NotRequired[ExhibitRoom]


class Loan(TypedDict):
    id: int
    to: NotRequired[str]


class GetHistoryResult(TypedDict):
    places: NotRequired[list[str]]


class WelcomeResult(TypedDict):
    text: NotRequired[str]


class StartInventoryResult(TypedDict):
    ticket: NotRequired[str]


class RestorationResult(TypedDict):
    state: NotRequired[str]
