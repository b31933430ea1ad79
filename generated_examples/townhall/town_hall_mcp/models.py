"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Bench(TypedDict):
    id: NotRequired[int]
    parkId: int
    seats: NotRequired[int]
    dedication: NotRequired[str]


class BenchList(TypedDict):
    items: list[Bench]
    nextCursor: NotRequired[str | None]


class Bin(TypedDict):
    id: NotRequired[int]
    streetId: int
    litres: NotRequired[int]
    kind: NotRequired[Literal["paper", "glass", "compost", "rest"]]


class BinList(TypedDict):
    items: list[Bin]
    nextCursor: NotRequired[str | None]


class Bridge(TypedDict):
    id: NotRequired[int]
    name: str
    builtIn: NotRequired[int]
    loadTonnes: NotRequired[float]


class BridgeList(TypedDict):
    items: list[Bridge]
    nextCursor: NotRequired[str | None]


class Budget(TypedDict):
    id: NotRequired[int]
    year: int
    department: NotRequired[str]
    amount: NotRequired[float]


class BudgetList(TypedDict):
    items: list[Budget]
    nextCursor: NotRequired[str | None]


class Complaint(TypedDict):
    id: NotRequired[int]
    text: str
    about: NotRequired[Literal["noise", "litter", "damage"]]
    status: NotRequired[Literal["open", "assigned", "closed"]]


class ComplaintList(TypedDict):
    items: list[Complaint]
    nextCursor: NotRequired[str | None]


class Crew(TypedDict):
    id: NotRequired[int]
    name: str
    members: NotRequired[int]
    skill: NotRequired[Literal["pruning", "paving", "wiring"]]


class CrewList(TypedDict):
    items: list[Crew]
    nextCursor: NotRequired[str | None]


class Depot(TypedDict):
    id: NotRequired[int]
    name: str
    address: NotRequired[str]


class DepotList(TypedDict):
    items: list[Depot]
    nextCursor: NotRequired[str | None]


class Invoice(TypedDict):
    id: NotRequired[int]
    supplier: str
    amount: NotRequired[float]
    status: NotRequired[Literal["due", "paid", "disputed"]]


class InvoiceList(TypedDict):
    items: list[Invoice]
    nextCursor: NotRequired[str | None]


class Lamp(TypedDict):
    id: NotRequired[int]
    streetId: int
    kind: NotRequired[Literal["gas", "sodium", "led"]]
    isLit: NotRequired[bool]


class LampList(TypedDict):
    items: list[Lamp]
    nextCursor: NotRequired[str | None]


class Licence(TypedDict):
    id: NotRequired[int]
    holder: str
    trade: NotRequired[Literal["food", "flowers", "crafts"]]
    expiresOn: NotRequired[str]


class LicenceList(TypedDict):
    items: list[Licence]
    nextCursor: NotRequired[str | None]


class Market(TypedDict):
    id: NotRequired[int]
    name: str
    weekday: NotRequired[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]
    squareId: NotRequired[int]


class MarketList(TypedDict):
    items: list[Market]
    nextCursor: NotRequired[str | None]


class Meeting(TypedDict):
    id: NotRequired[int]
    room: str
    beginsAt: NotRequired[str]
    topic: NotRequired[str]


class MeetingList(TypedDict):
    items: list[Meeting]
    nextCursor: NotRequired[str | None]


class Notice(TypedDict):
    id: NotRequired[int]
    title: str
    body: NotRequired[str]
    publishedOn: NotRequired[str]


class NoticeList(TypedDict):
    items: list[Notice]
    nextCursor: NotRequired[str | None]


class Park(TypedDict):
    id: NotRequired[int]
    name: str
    hectares: NotRequired[float]
    opensAt: NotRequired[str]


class ParkList(TypedDict):
    items: list[Park]
    nextCursor: NotRequired[str | None]


class Payment(TypedDict):
    id: NotRequired[int]
    invoiceId: int
    amount: NotRequired[float]
    paidOn: NotRequired[str]


class PaymentList(TypedDict):
    items: list[Payment]
    nextCursor: NotRequired[str | None]


class Permit(TypedDict):
    id: NotRequired[int]
    applicant: str
    kind: NotRequired[Literal["building", "event", "parking"]]
    validUntil: NotRequired[str]


class PermitList(TypedDict):
    items: list[Permit]
    nextCursor: NotRequired[str | None]


class Round(TypedDict):
    id: NotRequired[int]
    depotId: int
    weekday: NotRequired[Literal["mon", "tue", "wed", "thu", "fri"]]
    streets: NotRequired[list[int]]


class RoundList(TypedDict):
    items: list[Round]
    nextCursor: NotRequired[str | None]


class Shift(TypedDict):
    id: NotRequired[int]
    crewId: int
    beginsAt: NotRequired[str]
    endsAt: NotRequired[str]


class ShiftList(TypedDict):
    items: list[Shift]
    nextCursor: NotRequired[str | None]


class Stall(TypedDict):
    id: NotRequired[int]
    marketId: int
    metres: NotRequired[float]
    trader: NotRequired[str]


class StallList(TypedDict):
    items: list[Stall]
    nextCursor: NotRequired[str | None]


class Street(TypedDict):
    id: NotRequired[int]
    name: str
    surface: NotRequired[Literal["asphalt", "cobbles", "gravel"]]
    lengthMetres: NotRequired[int]


class StreetList(TypedDict):
    items: list[Street]
    nextCursor: NotRequired[str | None]


class Tree(TypedDict):
    id: NotRequired[int]
    species: str
    plantedOn: NotRequired[str]
    heightMetres: NotRequired[float]
    parkId: NotRequired[int]


class TreeList(TypedDict):
    items: list[Tree]
    nextCursor: NotRequired[str | None]


class Vehicle(TypedDict):
    id: NotRequired[int]
    plate: str
    kind: NotRequired[Literal["truck", "sweeper", "van"]]
    depotId: NotRequired[int]


class VehicleList(TypedDict):
    items: list[Vehicle]
    nextCursor: NotRequired[str | None]
