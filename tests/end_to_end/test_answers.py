"""`answers.yaml`: every kind of answer reaches the agent whole."""

import json
from base64 import b64decode
from typing import Any

import pytest
from mcp_types import AudioContent, EmbeddedResource, ImageContent
from pictures import JPEG, PNG
from tables import table

from .servers import of_spec
from .upstream import Answer

MP3 = b"ID3\4\0\0\0\0\0\0"
OWL = {"id": 7, "name": "Bronze owl", "found": None, "room": {"floor": 1, "name": "East"}}
museum = of_spec("answers.yaml")

JSON_ANSWERS: list[tuple[str, dict[str, Any], Any, Any]] = [
    ("getObject", {"id": 7}, OWL, OWL),
    ("getObject", {"id": 7}, {**OWL, "more": [1.5, None, "é"]}, {**OWL, "more": [1.5, None, "é"]}),
    ("listObjects", {}, [OWL], {"result": [OWL]}),
    ("listObjects", {}, [], {"result": []}),
    ("countObjects", {}, 2**70, {"result": 2**70}),
    ("getOwner", {"id": 7}, "Winter family", {"result": "Winter family"}),
    ("getOwner", {"id": 7}, None, {"result": None}),
    ("restoration", {}, {"state": "drying"}, {"state": "drying"}),
]


@pytest.mark.parametrize(("tool", "arguments", "said", "data"), JSON_ANSWERS)
def test_json(museum, tool, arguments, said, data):
    call = museum.call(tool, arguments, Answer.of(said))
    assert call.data == data
    assert len(call.result.content) == 1
    assert call.request.header("Accept") == "application/json"


@table(
    "content, kind, shown", (JPEG, "image/jpg", "image/jpeg"), (PNG, "IMAGE/PNG; q=1", "image/png")
)
def test_an_image(museum, content, kind, shown):
    call = museum.call("getPhoto", {"id": 7}, Answer(content, kind))
    image = call.block(ImageContent)
    assert (b64decode(image.data), image.mime_type) == (content, shown)
    assert (call.request.header("Accept") or "").startswith("image/jpeg, image/png")


@table("tool, kind", ("getLeaflet", "application/pdf"), ("getArchive", "application/octet-stream"))
def test_other_binary_is_a_resource(museum, tool, kind):
    resource = museum.call(tool, {}, Answer(PNG, kind)).block(EmbeddedResource).resource
    assert b64decode(resource.blob) == PNG
    assert resource.mime_type == kind


@table(
    "tool, kind, charset, text",
    ("getDrawing", "image/svg+xml", "utf-8", "<svg><title>Café</title></svg>"),
    ("getLabels", "application/xml", "utf-8", "<label>é</label>"),
    ("visitorTable", "text/csv", "utf-8", "day,visitors\n2027-02-01,312\nGrüße,1\n"),
    ("visitorTable", "text/csv; charset=utf-16", "utf-16", "Grüße"),
    ("visitorTable", "text/csv; charset=ISO-8859-1", "latin-1", "Grüße"),
)
def test_text(museum, tool, kind, charset, text):
    arguments = {"id": 7} if tool == "getDrawing" else {}
    call = museum.call(tool, arguments, Answer(text.encode(charset), kind))
    assert call.texts == [text]
    if tool == "visitorTable":
        assert call.request.header("Accept") == "text/csv, application/json;q=0.1"


def test_a_problem_is_told_with_status_and_words(museum):
    problem = {"title": "Not lent", "detail": "Object 7 is at the restorer.", "status": 409}
    answer = Answer.of(problem, 409, "application/problem+json")
    call = museum.call("putLoan", {"id": 7, "to": "Bergen"}, answer)
    assert "409" in call.failed
    assert "Object 7 is at the restorer." in call.failed
    assert "Not lent" in call.failed


def test_answers_that_are_declared(museum):
    answer = Answer.of({"places": ["Athens"]}, content_type="application/hal+json; charset=utf-8")
    call = museum.call("getHistory", {"id": 7}, answer)
    assert call.data == {"places": ["Athens"]}
    assert call.request.header("Accept") == "application/hal+json"
    for status in (200, 201):
        call = museum.call("putLoan", {"id": 3, "to": "Bergen"}, Answer.of({"id": 3}, status))
        assert call.data == {"id": 3}
    call = museum.call("putLoan", {"id": 3, "to": "Bergen"}, Answer(b"", None, 202))
    assert not call.result.is_error
    assert call.text
    call = museum.call("endLoan", {"id": 3}, Answer(b"", None, 204))
    assert call.request.method == "DELETE"
    assert "204" in call.text
    assert len(call.result.content) == 1
    audio = museum.call("hearGuide", {"room": "East"}, Answer(MP3, "audio/mpeg")).block(
        AudioContent
    )
    assert (b64decode(audio.data), audio.mime_type) == (MP3, "audio/mpeg")
    call = museum.call("welcome", {}, Answer.of({"text": "Come in"}))
    assert call.data == {"text": "Come in"}
    assert call.request.header("Accept") == "application/json, text/plain;q=0.5"
    assert museum.call("welcome", {}, Answer(b"Come in", "text/plain")).texts == ["Come in"]
    target = "https://media.museum.example/poster.pdf?x=1&y=2"
    answer = Answer(b"", None, 302, (("Location", target),))
    call = museum.call("posterAddress", {}, answer)
    assert call.request.target == "/poster"
    assert target in call.text
    assert museum.call("doors", {}, Answer.of({"open": ["A"]})).data == {"open": ["A"]}
    assert museum.call("doors", {}, Answer(b"A, B", "text/plain")).texts == ["A, B"]
    assert museum.tools["doors"].output_schema is None
    call = museum.call("knock", {"door": "A"}, Answer(b"", "application/json"))
    assert call.request.method == "HEAD"
    assert "200" in call.text
    call = museum.call("doorOptions", {"door": "A"}, Answer(b"", None, 204, (("Allow", "GET"),)))
    assert call.request.method == "OPTIONS"
    assert call.texts == ["The API answered 204 No Content.\nallow: GET"]
    schema = museum.tools["getObject"].output_schema
    assert schema is not None
    assert "insured" not in json.dumps(schema)
