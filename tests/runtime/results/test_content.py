"""From an answer of the API to what the agent sees: JSON, texts, and where they are too long."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pictures import PNG
from tables import table

from mcpgen.runtime.backend.answer import Answer, interpret
from mcpgen.runtime.results.content import error_result, to_result
from mcpgen.runtime.results.limits import ResultLimit
from mcpgen.runtime.results.returned import Media, from_handler

from ..mapping import DESCRIBED, LIMIT, PLAIN, result_of, texts

DEEP: list[Any] = []
for _ in range(99):
    DEEP = [DEEP]


@table(
    "body, text, structured",
    (b'{ "a": "\xc3\xa9" }', '{"a":"é"}', {"a": "é"}),
    (b"\xef\xbb\xbf{}", "{}", {}),
    (b"[1, 2]", "[1,2]", {"result": [1, 2]}),
    (b'"x"', '"x"', {"result": "x"}),
    (b"null", "null", {"result": None}),
    (b"12345678901234567890123", "12345678901234567890123", {"result": 12345678901234567890123}),
    (b"[1.0, 1e2, -0.5, 0.1]", "[1.0,100.0,-0.5,0.1]", {"result": [1.0, 100.0, -0.5, 0.1]}),
    ('{"a":"é"}'.encode("utf-16"), '{"a":"é"}', {"a": "é"}),
    (b'{"a":"\\ud83d\\ude00"}', '{"a":"😀"}', {"a": "😀"}),
    (b"9" * 4000, "9" * 4000, {"result": int("9" * 4000)}),
    (b"[" * 100 + b"]" * 100, "[" * 100 + "]" * 100, {"result": DEEP}),
)
async def test_json_is_structured_content_and_its_text(body, text, structured):
    for tool in (PLAIN, DESCRIBED):
        result = await result_of(body, tool=tool)
        assert texts(result)[0] == text
        assert result["structuredContent"] == structured
        assert tool is DESCRIBED or len(result["content"]) == 1


OF_KINDS = [
    interpret(Answer(status, headers={"content-type": media}, content=content), ("200",), media)
    for status, media, content in [
        (200, "application/json", b'{"a":1}'),
        (200, "text/csv", b"a,b"),
        (200, "application/zip", b"PK\x03\x04\xff"),
        (200, "multipart/mixed; boundary=x", b"--x\r\n\r\na\r\n--x--"),
        (204, "", b""),
    ]
]


@pytest.mark.parametrize("answer", OF_KINDS, ids=lambda answer: answer.kind)
def test_data_of_another_type_in_an_answers_place_is_what_is_seen(answer):
    data: Any
    for data in ({"rows": 2}, [1], 7, True):
        result = to_result(replace(answer, data=data), PLAIN, ResultLimit(LIMIT, ""))
        assert texts(result)[0] == json.dumps(data, separators=(",", ":"))
        structured = data if isinstance(data, dict) else {"result": data}
        assert result["structuredContent"] == structured
    said = to_result(replace(answer, data="two rows"), PLAIN, ResultLimit(LIMIT, ""))
    assert texts(said)[0] == ('"two rows"' if answer.kind == "json" else "two rows")
    picture = replace(answer, data=PNG, kind="binary", content_type="image/png")
    assert to_result(picture, PLAIN, ResultLimit(LIMIT, ""))["content"][0]["type"] == "image"
    if answer.kind in ("json", "text", "empty"):
        bare = to_result(
            replace(answer, data=b"\xff", content_type=None), PLAIN, ResultLimit(LIMIT, "")
        )
        assert bare["content"][0]["resource"]["blob"] == "/w=="


@table(
    "body, content_type, text",
    (b"line1\nline2\r\n", "text/plain", "line1\nline2\r\n"),
    (b"\xe9", "text/plain; charset=iso-8859-1", "é"),
    (b'<a href="x"/>', "application/xml", '<a href="x"/>'),
    (b'{"a":1}', "text/plain", '{"a":1}'),
    ("é".encode("utf-16"), "text/csv; charset=utf-16", "é"),
    (b"{}\n{}\n", "application/jsonl", "{}\n{}\n"),
    (b"{}\n{}\n", "application/x-jsonlines", "{}\n{}\n"),
    (b"{}\n{}\n", "application/stream+json", "{}\n{}\n"),
    (b"\x1e{}\n", "application/geo+json-seq", "\\u001e{}\n"),
    (b"a,b", "application/csv", "a,b"),
    (b"a=b", "application/x-www-form-urlencoded", "a=b"),
)
async def test_text_is_text(body, content_type, text):
    accept = content_type.partition(";")[0]
    result = await result_of(body, content_type, accept=accept)
    assert result == {"resultType": "complete", "content": [{"type": "text", "text": text}]}
    described = await result_of(body, content_type, accept=accept, tool=DESCRIBED)
    assert described["structuredContent"] == {"result": text.replace("\\u001e", "\x1e")}


@table(
    "encoding, content_type, written, text",
    ("windows-1251", "application/xml", "windows-1251", "Доллар"),
    ("Shift_JIS", "application/soap+xml", "shift_jis", "日本語"),
    ("ISO-8859-1", "text/xml", "utf-8-sig", "é"),
    ("windows-1251", "text/xml; charset=utf-8", "utf-8", "é"),
    ("UTF-16", "application/xml", "utf-8", "é"),
    ("klingon", "application/xml", "utf-8", "é"),
    ("ISO-8859-1", "text/plain", "utf-8", "é"),
)
async def test_xml_is_read_in_the_encoding_that_it_declares(encoding, content_type, written, text):
    page = f"<?xml version='1.0' encoding='{encoding}'?><a>{text}</a>"
    accept = content_type.partition(";")[0]
    assert texts(await result_of(page.encode(written), content_type, accept=accept)) == [page]


def rows(count: int) -> bytes:
    return json.dumps(
        {"total": count, "rows": [{"id": i, "tags": [1, 2]} for i in range(count)]}
    ).encode()


async def test_long_texts_are_cut():
    body = json.dumps({"a": "é" * 1000}, ensure_ascii=False).encode()
    result = await result_of(body, limit=100, tool=DESCRIBED)
    start = texts(result)[0]
    assert start.startswith('{"a":"é')
    assert 2 * len(json.dumps(start)) <= ResultLimit(100, "").room
    assert result["structuredContent"] == {"result": start}
    assert "characters" in texts(result)[1]


@table(
    "head, tail, text",
    (b'{"a":"x",', b'"a":"y"}', '{"a":"y"}'),
    (b'{"a":1.00000000000000000001', b"}", '{"a":1.0}'),
)
async def test_of_an_answer_that_is_long_for_its_blanks_nothing_is_said_to_be_left_out(
    head, tail, text
):
    """What its value does not hold is told, and so is where that does not fit."""
    result = await result_of(head + b" " * 2000 + tail, tool=DESCRIBED, limit=100)
    assert texts(result)[0] == text
    assert "Left out" not in texts(result)[1]
    assert ("must be a string" in str(result)) is ("1.0" in text)
    whole = await result_of(head + tail, tool=DESCRIBED)
    assert texts(whole)[0] == (head + tail).decode()


@table(
    "data, media_type, held",
    (b"abc", "text/plain", {"text": "abc"}),
    (b"\xff", "text/plain", {"blob": "/w=="}),
    (b"abc", "application/pdf", {"blob": "YWJj"}),
)
def test_media_of_a_handler_are_text_or_bytes(data, media_type, held):
    for uri in ("shop://a", ""):
        media = Media(data, media_type, uri=uri)
        (block,) = from_handler(media, PLAIN, ResultLimit(LIMIT, "V"))["content"]
        own = uri or block["resource"]["uri"]
        assert own.startswith(uri or "resource://")
        assert block["resource"] == {"uri": own, "mimeType": media_type, **held}


def test_a_failure_is_told_in_at_most_10_000_characters():
    (text,) = texts(error_result("Ω" * 10_000))
    assert text == "Ω" * 10_000
    (text,) = texts(error_result("\u202e" * 10_000))
    assert text[9_990:] == "\\u202e\\u20… (50,000 more characters)"
