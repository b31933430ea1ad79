"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class GetShipResult(TypedDict):
    name: str
    course: NotRequired[int]


class SweepResult(TypedDict):
    answered: list[str]
