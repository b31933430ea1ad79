"""What breaks the specification is a located warning, within bounds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document

from mcpgen.readers.validate import MAX_NODES


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"tags": [{"name": 5}]}, "/tags/0/name"),
        ({"components": {"schemas": []}}, "/components/schemas"),
        (
            {"components": {"links": {"a": {"operationId": "op", "parameters": 5}}}},
            "/components/links/a/parameters",
        ),
        ({"jsonSchemaDialect": 1}, "/jsonSchemaDialect"),
    ],
)
def test_findings_are_located(tmp_path: Path, change: dict[str, Any], pointer: str) -> None:
    read = read_document(one({}, **change), tmp_path)
    assert read.pointers("specification") == [pointer]
    assert read.diagnostics.warnings[0].location is not None


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_good_document_has_none(tmp_path: Path, version: str) -> None:
    assert read_document({**one({}), "openapi": version}, tmp_path).codes == []


def test_what_the_reader_said_is_not_said_again(tmp_path: Path) -> None:
    read = read_document(one({"parameters": [None]}), tmp_path)
    assert read.codes == ["wrong-type"]


def test_a_large_document_is_checked_in_part(tmp_path: Path) -> None:
    paths = {f"/p{i}": {"get": {"responses": OK, "summary": 5}} for i in range(MAX_NODES // 4)}
    start = time.perf_counter()
    read = read_document({"paths": paths}, tmp_path)
    assert time.perf_counter() - start < 20
    assert len(read.pointers("specification")) <= 52
    assert "the rest is not listed" in read.diagnostics.notes[-1].message


def test_a_deep_document_does_no_harm(tmp_path: Path) -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(100):
        deep = {"type": "object", "properties": {"a": deep}}
    body = {"content": {"application/json": {"schema": deep}}}
    assert read_document(one({"requestBody": body}, method="post"), tmp_path).codes == []
