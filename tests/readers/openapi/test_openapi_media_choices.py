"""Request bodies of several media types: which can be chosen, and which say nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import BINARY, PLAIN, ROWS, TEXT, body_of, posted
from openapi_reading import one, read_document, sent

OTHER = {"type": "object", "required": ["c"], "properties": {"c": TEXT}}
STREAM = {"type": "object", "format": "file"}


@pytest.mark.parametrize(
    ("content", "first", "offered", "told"),
    [
        ({"application/octet-stream": BINARY, "text/plain": TEXT},
         "text/plain", ("application/octet-stream",), ""),
        ({"text/csv": TEXT, "application/zip": BINARY}, "text/csv", ("application/zip",), ""),
        ({"text/plain": TEXT, "*/*": BINARY}, "text/plain", ("application/octet-stream",), ""),
        ({"application/json": TEXT, "application/octet-stream": BINARY},
         "application/json", ("application/octet-stream",), ""),
        ({"text/plain": {}, "application/octet-stream": {}},
         "text/plain", ("application/octet-stream",), ""),
        ({"application/json": {}, "application/octet-stream": {}},
         "application/json", ("application/octet-stream",), ""),
        ({"application/xml": PLAIN, "application/json": PLAIN},
         "application/json", (), "not as `application/xml`"),
        ({"application/json": PLAIN, "application/octet-stream": PLAIN},
         "application/json", (), "not as `application/octet-stream`"),
        ({"application/json": PLAIN, "application/vnd.api+json": PLAIN},
         "application/json", (), "not as `application/vnd.api+json`"),
        ({"application/json": PLAIN, "application/vnd.api+json": ROWS},
         "application/json", ("application/vnd.api+json",), ""),
        ({"application/json-patch+json": ROWS, "application/merge-patch+json": PLAIN,
          "application/yaml": PLAIN},
         "application/json-patch+json", ("application/merge-patch+json",),
         "not as `application/yaml`"),
        ({"application/json": PLAIN, "application/x-www-form-urlencoded": OTHER},
         "application/json", ("application/x-www-form-urlencoded",), ""),
        ({"application/octet-stream": STREAM, "text/plain": STREAM},
         "application/octet-stream, text/plain", (), ""),
        ({"text/plain": STREAM}, "text/plain", (), ""),
    ],
)  # fmt: skip
def test_each_media_type_that_says_something_else_can_be_chosen(
    tmp_path: Path, content: dict[str, Any], first: str, offered: tuple[str, ...], told: str
) -> None:
    media = {name: {"schema": schema} for name, schema in content.items()}
    read = posted(tmp_path, media, required=False)
    body = body_of(read.tool)
    assert (body.media_type, body.offered) == (first, offered)
    notes = [item.message for item in read.diagnostics.notes if item.code == "media-type"]
    assert told in "".join(notes)
    assert bool(notes) == bool(told)


def test_bytes_are_sent_as_bytes_whatever_their_schemas_type_says(tmp_path: Path) -> None:
    media = {"application/octet-stream": {"schema": STREAM}, "text/plain": {"schema": STREAM}}
    read = posted(tmp_path, media, required=False)
    assert read.tool.input_schema["properties"]["body"]["type"] == "string"
    assert sent(read, {"body": "AAEC"}) == ("application/octet-stream", b"\0\1\2")
    assert sent(read, {"body": "data:text/plain,a"}) == ("text/plain", b"a")


@pytest.mark.parametrize("end", ["", ".", "?"])
def test_how_bytes_are_given_is_a_sentence_of_its_own(tmp_path: Path, end: str) -> None:
    content = {name: {"schema": TEXT} for name in ("text/plain", "application/octet-stream")}
    body = {"required": True, "content": content, "description": f"The image{end}"}
    tool = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
    told = tool.input_schema["properties"]["body"]["description"]
    start = f"The image{end or '.'} application/octet-stream: base64, a data: URI"
    assert told.startswith(start)
