"""Bodies and answers whose media type does not say what they are: the schema does."""

import json
from base64 import b64encode
from typing import Any

import pytest
from mcp_types import EmbeddedResource

from .servers import Server, of_document, read
from .upstream import Answer

OCTETS = "application/octet-stream"
MESSAGES = ["message/cpim", "message/imdn+xml", "message/rfc822"]
MAIL = "From: a@example.com\r\nSubject: Grüße\r\n\r\nHello"
unknown = of_document("unknown-types")
old = of_document("unknown-types-2.0")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("note", "str"), ("number", "str"), ("bytes", "bytes"), ("any", "bytes"),
        ("picture", "bytes"), ("mail", "str"), ("script", "str"),
        ("events", "str"),
    ],
)  # fmt: skip
def test_a_handler_says_what_its_answer_is_read_as(unknown, path, kind):
    handlers = unknown.folder / unknown.package / "handlers"
    assert f" -> Response[{kind}]:" in (handlers / f"{path}.py").read_text("utf-8")


def sent(server: Server, tool: str, arguments: dict[str, Any]) -> tuple[str | None, bytes]:
    request = server.call(tool, arguments).request
    return request.header("Content-Type"), request.body


@pytest.mark.parametrize("case", read("unknown-types-sent"), ids=lambda case: case["tool"])
def test_a_body_is_what_its_schema_says(unknown, case):
    given = sent(unknown, case["tool"], case["arguments"])
    assert given == (case["media_type"], case["content"].encode())


@pytest.mark.parametrize("media_type", MESSAGES)
def test_a_message_is_text_of_the_type_that_is_asked_for(unknown: Server, media_type: str) -> None:
    """No type of equal ones is better for its suffix: the first is sent where none is asked for."""
    assert unknown.arguments("mail")["content_type"]["enum"] == MESSAGES
    assert unknown.arguments("mail")["body"]["type"] == "string"
    given, content = sent(unknown, "mail", {"body": MAIL, "content_type": media_type})
    assert (given or "").partition(";")[0] == media_type
    assert content == MAIL.encode()
    assert sent(unknown, "mail", {"body": "x"}) == ("message/cpim", b"x")


@pytest.mark.parametrize(
    ("asked", "media_type", "content"),
    [
        ({}, OCTETS, b"hi"),
        ({"content_type": OCTETS}, OCTETS, b"hi"),
        ({"content_type": "text/plain"}, "text/plain", b"hi"),
        ({"content_type": "application/json"}, "application/json", b'"aGk="'),
    ],
)
def test_each_media_type_of_one_schema_is_a_value_of_its_own(
    unknown: Server, asked: dict[str, str], media_type: str, content: bytes
) -> None:
    arguments = unknown.arguments("same")
    types = [OCTETS, "text/plain", "application/json"]
    assert arguments["content_type"]["enum"] == types
    assert "anyOf" not in arguments["body"]
    assert sent(unknown, "same", {"body": "aGk=", **asked}) == (media_type, content)


def answered(server: Server, tool: str, media_type: str, content: bytes) -> Any:
    bodies: dict[str, Any] = {
        "order": {"n": 1},
        "stream": {"n": 1},
        "list_": {"body": []},
    }
    arguments = bodies.get(tool, {"body": "aGk="})
    return server.call(tool, arguments, Answer(content, media_type))


def test_an_answer_is_parsed_where_it_parses(unknown: Server) -> None:
    order = "application/vnd.acme.order.v1"
    assert answered(unknown, "order", order, b'{"n": 7}').data == {"n": 7}
    assert answered(unknown, "stream", OCTETS, b'{"n": 7}').data == {"n": 7}
    assert answered(unknown, "list_", "application/x-rows", b'[{"n": 7}]').data == {
        "result": [{"n": 7}]
    }
    assert answered(unknown, "order", order, b"not yet").texts[0] == "not yet"
    blob = answered(unknown, "order", order, b"\x00\xff").block(EmbeddedResource)
    assert blob.resource.blob == b64encode(b"\x00\xff").decode()


def test_an_answer_that_is_a_text_is_no_blob(unknown: Server) -> None:
    assert answered(unknown, "note", "application/vnd.acme.note", b'{"a": 1}').texts == ['{"a": 1}']
    assert answered(unknown, "mail", "message/rfc822", MAIL.encode()).texts == [MAIL]
    answer = answered(unknown, "bytes_", "application/vnd.acme.blob", b'{"a": 1}')
    assert answer.block(EmbeddedResource).resource.blob == b64encode(b'{"a": 1}').decode()


def test_what_is_sent_as_json_under_another_name_is_told(unknown: Server) -> None:
    told = [
        each["message"]
        for each in unknown.summary["diagnostics"]
        if each["code"] == "media-type" and each["severity"] == "warning"
    ]
    names = ("vnd.acme.order.v1", "octet-stream", "x-rows", "vnd.acme.v1")
    assert told == [
        f"`application/{name}` does not say how an object or array is written; it is sent as JSON"
        for name in names
    ]


def test_the_schema_says_it_in_swagger_2_too(old: Server) -> None:
    media_type = "application/vnd.acme.order.v1"
    answer = Answer(b'{"n": 7}', media_type)
    call = old.call("order", {"n": 1}, answer)
    assert (call.request.header("Content-Type"), call.request.body) == (media_type, b'{"n":1}')
    assert call.data == {"n": 7}
    note = Answer(b"a note", "application/vnd.acme.note")
    call = old.call(
        "note", {"b": "aGk="} if "b" in old.arguments("note") else {"body": "aGk="}, note
    )
    assert call.request.body == b"aGk="
    assert call.texts == ["a note"]


def test_json_under_another_name_goes_out_whole(unknown: Server) -> None:
    _, content = sent(unknown, "order", {"n": 10**20, "m": [None, {"ä": 1.5}]})
    assert json.loads(content) == {"n": 10**20, "m": [None, {"ä": 1.5}]}
