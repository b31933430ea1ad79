"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Period = TypedDict(
    "Period",
    {
        "from": str,
        "to": NotRequired[str | None],
    },
)


Card: TypeAlias = str


Desk: TypeAlias = Literal["A", "B", "C"]


Id: TypeAlias = int


class Reader(TypedDict):
    card: str
    name: str
    loans: NotRequired[list[Loan]]


class Loan(TypedDict):
    id: int
    book: str
    reader: Reader
    desk: NotRequired[Desk]
    due: NotRequired[Period]
    before: NotRequired[Loan | None]
