"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Appointment(TypedDict):
    id: NotRequired[int]
    patient_id: int
    at: str
    room: NotRequired[str | None]
    minutes: NotRequired[int]


class PatientGuardian(TypedDict):
    name: NotRequired[str]
    phone: NotRequired[str]


class Patient(TypedDict):
    id: int
    kind: NotRequired[str]
    name: str
    contact: NotRequired[PatientGuardian]
    guardian: NotRequired[PatientGuardian]


class FileDocumentResult(TypedDict):
    document_id: int


class EnterResultResult(TypedDict):
    length: NotRequired[int]
