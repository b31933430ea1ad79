"""Responses: what is a success, what the tool gives back, what it asks for."""

from pathlib import Path
from typing import Any

from openapi_reading import one, read_document
from tables import table

from mcpgen.api import Tool

PET = {"type": "object", "properties": {"name": {"type": "string"}}}


def answer(media_type: str, schema: Any = None, description: str = "ok", **rest: Any) -> Any:
    """A Response Object with one media type."""
    entry = {**({} if schema is None else {"schema": schema}), **rest}
    return {"description": description, "content": {media_type: entry}}


def tool_of(tmp_path: Path, responses: dict[str, Any]) -> Tool:
    """The tool of a GET with these responses."""
    return read_document(one({"responses": responses}), tmp_path).tool


@table(
    "text, kept",
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
)
def test_descriptions_that_say_nothing(tmp_path, text, kept):
    tool = tool_of(tmp_path, {"200": answer("application/json", PET, description=text)})
    assert ("Returns" in tool.description) == kept
