"""Which documents are read: versions of OpenAPI, those in a form of their own, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openapi_reading import read_text

from mcpgen.diagnostics import GenerationError


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
