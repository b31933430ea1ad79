"""Parameters become arguments under their own names, with everything the wire needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import one, read_document

from mcpgen.cases.requests import Requests
from mcpgen.samples.checks import Checker


@pytest.mark.parametrize(
    ("media_type", "schema", "value", "target"),
    [
        (
            "application/x-www-form-urlencoded",
            {"type": "object"},
            {"a": "b c", "d": [1, 2]},
            "?q=a%3Db%2Bc%26d%3D1%26d%3D2",
        ),
        ("application/xml", {"type": "object"}, "<a/>", "?q=%3Ca%2F%3E"),
        ("text/csv", {"type": "array"}, "a,b", "?q=a%2Cb"),
        ("text/plain", {"type": "integer"}, 1, "?q=1"),
    ],
)
def test_content_that_is_no_json(
    tmp_path: Path, media_type: str, schema: dict[str, Any], value: Any, target: str
) -> None:
    parameter = param("query", "q", content={media_type: {"schema": schema}})
    read = read_document(one({"parameters": [parameter]}), tmp_path)
    assert Checker({}).valid({"q": value}, read.tool.input_schema)
    assert Requests(read.api, {}).expected(read.tool, {"q": value})["url"].endswith(target)


@pytest.mark.parametrize(
    ("schema", "value", "query"),
    [
        (TEXT, "a=b&c", "a=b&c"),
        ({"type": "object"}, {"a": "b&c", "d": [1, 2]}, "a=b%26c&d=1&d=2"),
        (None, {"a": 1}, "a=1"),
    ],
)
def test_a_query_string_without_content_is_a_form_or_a_text(
    tmp_path: Path, schema: Any, value: Any, query: str
) -> None:
    """It must have `content` (OpenAPI 3.2.0, `in`), but there is one way to send it."""
    parameter = {"in": "querystring", "name": "q", "style": "form"}
    parameter |= {} if schema is None else {"schema": schema}
    read = read_document({**one({"parameters": [parameter]}), "openapi": "3.2.0"}, tmp_path)
    assert Requests(read.api, {}).expected(read.tool, {"q": value})["url"].endswith(f"?{query}")
    assert set(read.codes) == {"specification"}
