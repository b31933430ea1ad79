"""Which documents are read: versions of OpenAPI, those in a form of their own, and no others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_text

from mcpgen.diagnostics import GenerationError


@pytest.mark.parametrize(
    ("key", "version", "meant", "written"),
    [
        ("openapi", "3.0.o", "3.0", "3.0.4"),
        ("openapi", "3.1", "3.1", "3.1.0"),
        ("openapi", "3.2-rc1", "3.2", "3.2.0"),
        ("openapi", 3.1, "3.1", "3.1.0"),
        ("openapi", 3, "3.0", "3.0.4"),
        ("swagger", 2.0, "2.0", "2.0"),
        ("swagger", "2", "2.0", "2.0"),
    ],
)
def test_a_version_that_is_not_whole_is_read_and_told(
    tmp_path: Path, key: str, version: Any, meant: str, written: str
) -> None:
    info = {"info": {"title": "Pets", "version": "1"}}
    read = read_text(json.dumps({key: version, **info, **one({})}), tmp_path)
    assert read.tool.name == "op"
    (told,) = read.diagnostics.warnings
    assert told.message.endswith(f"it is read as {meant}")
    assert told.hint == f'Write "{written}", in quotes.'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"asyncapi": "3.0.0"}', "AsyncAPI"),
        ('{"swaggerVersion": "1.2"}', "Swagger 1"),
        ("[1]", "an object"),
        ("{}", "neither"),
    ],
)
def test_other_documents_are_named(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(GenerationError, match=what):
        read_text(text, tmp_path)


@pytest.mark.parametrize("key", ["openap", "openAPI", "OpenApi"])
def test_a_misspelt_key_of_the_version_is_told_at_its_place(tmp_path: Path, key: str) -> None:
    text = json.dumps({"info": {}, key: "3.0.3"}, indent=1)
    with pytest.raises(GenerationError, match="neither") as caught:
        read_text(text, tmp_path)
    [told] = caught.value.diagnostics
    assert (told.pointer, told.hint) == (f"/{key}", "Write `openapi`.")
