"""Request bodies of several media types: which can be chosen, and which say nothing more."""

from __future__ import annotations

from pathlib import Path

from openapi_bodies import posted
from openapi_reading import sent

STREAM = {"type": "object", "format": "file"}


def test_bytes_are_sent_as_bytes_whatever_their_schemas_type_says(tmp_path: Path) -> None:
    media = {"application/octet-stream": {"schema": STREAM}, "text/plain": {"schema": STREAM}}
    read = posted(tmp_path, media, required=False)
    assert read.tool.input_schema["properties"]["body"]["type"] == "string"
    assert sent(read, {"body": "AAEC"}) == ("application/octet-stream", b"\0\1\2")
    assert sent(read, {"body": "data:text/plain,a"}) == ("text/plain", b"a")
