"""Responses: what is a success, what the tool gives back, what it asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

from mcpgen.api import Tool
from mcpgen.cases.requests import Requests

PET = {"type": "object", "properties": {"name": {"type": "string"}}}


def answer(media_type: str, schema: Any = None, description: str = "ok", **rest: Any) -> Any:
    """A Response Object with one media type."""
    entry = {**({} if schema is None else {"schema": schema}), **rest}
    return {"description": description, "content": {media_type: entry}}


def tool_of(tmp_path: Path, responses: dict[str, Any]) -> Tool:
    """The tool of a GET with these responses."""
    return read_document(one({"responses": responses}), tmp_path).tool


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("OK", False),
        ("successful operation", False),
        ("A successful response.", False),
        ("200 OK", False),
        ("The pet.", True),
        ("default", False),
        ("no error", False),
        ("Success, no content", False),
        ("Typical success response", False),
        ("Document created, URL follows.", False),
        ("OK - the request has succeeded.", False),
        (
            "Created - the request has been fulfilled and has resulted in one or more new "
            "resources being created.",
            False,
        ),
        ("200 response for op", False),
        ("Response from the GET /pets endpoint.", False),
        ("The operation was accepted by the owner", True),
        ("OK. (https://tools.ietf.org/html/rfc7231#section-6.3.1)", False),
        ("Successful case", False),
        ("Deleted", False),
        ("n/a", False),
        ("XXX", False),
        ("Returned if the request is successful.", False),
        ("Retrieved entities", False),
        ("If a pet was found", True),
        ("successful creation", False),
        ("Resource updated", False),
        ("The resource and its owner", True),
        (" " * 100_000 + "x", True),
    ],
)
def test_descriptions_that_say_nothing(tmp_path: Path, text: str, kept: bool) -> None:
    tool = tool_of(tmp_path, {"200": answer("application/json", PET, description=text)})
    assert ("Returns" in tool.description) == kept


BYTES = {"schema": {"type": "string", "format": "binary"}}
FILE = {"schema": {"type": "object", "format": "file"}}
PROBLEM = {"application/problem+json": {"schema": {"type": "object"}}}


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        (
            {"application/zip": BYTES, "application/json": {}},
            "application/json, application/zip;q=0.5",
        ),
        ({"application/pdf": BYTES, **PROBLEM}, "application/pdf, application/json;q=0.1"),
        ({"text/csv": {}, **PROBLEM}, "text/csv, application/json;q=0.1"),
        ({"application/xml": {}, **PROBLEM}, "application/xml, application/json;q=0.1"),
        (PROBLEM, "application/problem+json"),
        ({"application/*+json": {"schema": {"type": "object"}}}, "application/json"),
        ({"application/hal+json": {}}, "application/hal+json"),
        ({"image/*": {}}, "image/*, application/json;q=0.1"),
        ({"application/zip": FILE}, "application/zip, application/json;q=0.1"),
    ],
)
def test_every_success_that_is_declared_is_asked_for(
    tmp_path: Path, content: dict[str, Any], asked: str
) -> None:
    answer = {"200": {"description": "", "content": content}}
    read = read_document(one({"responses": answer}), tmp_path)
    assert Requests(read.api, {}).expected(read.tool, {})["headers"]["accept"] == asked
