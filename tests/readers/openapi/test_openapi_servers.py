"""Servers and their variables: only what can be reached safely, the rest reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document, read_text


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://localhost:8080",
        "https://[::1]:8080/x",
        "https://api.example.com:443/",
        "/api/v3",
        "/",
        "v1",
        "https://example.com/a.b",
    ],
)
def test_servers_that_are_kept(tmp_path: Path, url: str) -> None:
    read = read_document(one({}, servers=[{"url": url, "description": "d"}]), tmp_path)
    assert [(s.url, s.description) for s in read.api.servers] == [(url, "d")]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ftp://example.com",
        "https://user:secret@example.com",
        "https://",
        "https://a b.test",
        "https://example.com/?key=1",
        "https://example.com/#x",
        "https://example.com/../x",
        "https://example.com\\x",
        "https://exa\u200bmple.com",
        "https://example.com:99999",
        "<local-address>",
        5,
    ],
)
def test_servers_that_are_left_out(tmp_path: Path, url: Any) -> None:
    read = read_document(one({}, servers=[{"url": url}, {"url": "https://ok.test"}]), tmp_path)
    assert [s.url for s in read.api.servers] == ["https://ok.test"]
    assert "server" in read.codes


@pytest.mark.parametrize(
    ("variable", "default", "enum"),
    [
        ('{"default": 2026.10}', "2026.10", ()),
        ('{"default": 1.0, "enum": [1.0, 1.10]}', "1.0", ("1.0", "1.10")),
        ('{"default": "2", "enum": ["1"]}', "2", ("2", "1")),
        ('{"enum": ["1", "2"], "description": "Which."}', None, ("1", "2")),
        ('{"enum": ["1"]}', "1", ("1",)),
        ('{"enum": [null, "1", []]}', "1", ("1",)),
        ('{"default": true}', None, ()),
        ('"1"', None, ()),
    ],
)
def test_a_variable_is_what_the_document_spells(
    tmp_path: Path, variable: str, default: str | None, enum: tuple[str, ...]
) -> None:
    """A number is written as it stands there: `/v2026.1` would be another version."""
    document = one({}, servers=[{"url": "https://x.test/v{v}", "variables": {"v": "V"}}])
    text = json.dumps({"openapi": "3.1.0", **document}).replace('"V"', variable)
    read = read_text(text, tmp_path)
    [found] = read.api.servers[0].variables
    assert (found.default, found.enum) == (default, enum)
    assert read.codes
