"""Examples of parameters are told as values that an agent can send, and none twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import one, read_document


@pytest.mark.parametrize(
    ("location", "more", "example", "shown"),
    [
        ("query", {}, "a%20b/%C3%A9", "a b/é"),
        ("path", {}, "group%2Fproject", "group/project"),
        ("query", {}, "100% of a b%20c", "100% of a b%20c"),
        ("query", {}, "%", "%"),
        ("query", {}, "%ff", "%ff"),
        ("query", {"allowReserved": True}, "a%2Fb", "a%2Fb"),
        ("query", {"x-ms-skip-url-encoding": True}, "a%2Fb", "a%2Fb"),
        ("header", {}, "a%20b", "a%20b"),
        ("path", {}, "a%1Fb", None),
    ],
)
def test_an_example_that_is_written_as_in_a_url_is_told_as_its_value(
    tmp_path: Path, location: str, more: dict[str, Any], example: str, shown: str | None
) -> None:
    """An agent that passes it on as it is written would have it escaped twice."""
    for given in ({"example": example}, {"examples": {"e": {"value": example}}}):
        parameters = [param(location, "a", schema=TEXT, **given, **more)]
        document = one({"parameters": parameters}, path="/{a}" if location == "path" else "/b")
        tool = read_document(document, tmp_path).tool
        told = tool.input_schema["properties"]["a"].get("examples")
        assert told == (None if shown is None else [shown])
        assert tool.sample_arguments == ({} if shown is None else {"a": shown})
    data = {"examples": {"e": {"dataValue": example}}}
    document = one({"parameters": [param("query", "a", schema=TEXT, **data)]}, openapi="3.2.0")
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"]["a"]["examples"] == [example]
