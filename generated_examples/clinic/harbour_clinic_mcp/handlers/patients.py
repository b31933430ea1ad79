"""Tools tagged `patients`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import FileDocumentResult, Patient


@tool("getPatient")
async def get_patient(ctx: Context, *, patient_id: int) -> Response[Patient]:
    """Open a patient file: GET /patients/{patient_id}."""
    return await ctx.api.send(
        "GET", "/patients/{patient_id}", path={"patient_id": patient_id}, declared="application/xml"
    )


@tool("recordConsent")
async def record_consent(
    ctx: Context,
    *,
    patient_id: int,
    given: bool,
    topics: list[str] | Unset = UNSET,
    witnesses: list[str] | Unset = UNSET,
    remark: str | Unset = UNSET,
) -> Response[None]:
    """Record a consent: POST /patients/{patient_id}/consent."""
    return await ctx.api.send(
        "POST",
        "/patients/{patient_id}/consent",
        path={"patient_id": patient_id},
        form={"given": given, "topics": topics, "witnesses": witnesses, "remark": remark},
        encoding={"topics": style.part(style="form", explode=False)},
        accept="*/*",
        expect=("204",),
    )


@tool("fileDocument")
async def file_document(
    ctx: Context, *, patient_id: int, scan: str, title: str, pages: int | Unset = UNSET
) -> Response[FileDocumentResult]:
    """Put a scan into a patient file: POST /patients/{patient_id}/documents."""
    return await ctx.api.send(
        "POST",
        "/patients/{patient_id}/documents",
        path={"patient_id": patient_id},
        multipart={"scan": scan, "title": title, "pages": pages},
        encoding={"scan": style.part(binary=True)},
        expect=("201",),
    )


@tool("readDocument")
async def read_document(ctx: Context, *, patient_id: int, document_id: int) -> Response[bytes]:
    """Read a scan: GET /patients/{patient_id}/documents/{document_id}."""
    return await ctx.api.send(
        "GET",
        "/patients/{patient_id}/documents/{document_id}",
        path={"patient_id": patient_id, "document_id": document_id},
        accept="application/pdf",
        security=[{"front_desk": []}, {"ward_key": []}],
    )
