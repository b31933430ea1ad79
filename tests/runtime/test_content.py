"""From an answer of the API to what the agent sees: JSON, texts, and what is said beside them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from mcpgen.runtime import Response, ToolError
from mcpgen.runtime.answer import Answer, interpret
from mcpgen.runtime.content import ResultLimit, to_result
from mcpgen.runtime.context import Kind
from mcpgen.runtime.results.returned import Media, from_handler

from .results import DESCRIBED, LIMIT, PLAIN, STRING, on_the_wire, result_of, texts

pytestmark = pytest.mark.anyio

STRICT: dict[str, Any] = {**PLAIN, "outputSchema": STRING}
DEEP: list[Any] = []
for _ in range(99):
    DEEP = [DEEP]


@pytest.mark.parametrize("tool", [PLAIN, DESCRIBED])
@pytest.mark.parametrize(
    ("body", "text", "structured"),
    [
        (b'{ "a": "\xc3\xa9" }', '{"a":"é"}', {"a": "é"}),
        (b"\xef\xbb\xbf{}", "{}", {}),
        (b"[1, 2]", "[1,2]", {"result": [1, 2]}),
        (b'"x"', '"x"', {"result": "x"}),
        (b"null", "null", {"result": None}),
        (
            b"12345678901234567890123",
            "12345678901234567890123",
            {"result": 12345678901234567890123},
        ),
        (b"[1.0, 1e2, -0.5, 0.1]", "[1.0,100.0,-0.5,0.1]", {"result": [1.0, 100.0, -0.5, 0.1]}),
        ('{"a":"é"}'.encode("utf-16"), '{"a":"é"}', {"a": "é"}),
        (b'{"a":"\\ud83d\\ude00"}', '{"a":"😀"}', {"a": "😀"}),
        (b"9" * 4000, "9" * 4000, {"result": int("9" * 4000)}),
        (b"[" * 100 + b"]" * 100, "[" * 100 + "]" * 100, {"result": DEEP}),
    ],
)
async def test_json_is_structured_content_and_its_text(
    body: bytes, text: str, structured: Any, tool: dict[str, Any]
) -> None:
    result = await result_of(body, tool=tool)
    assert texts(result)[0] == text
    assert result["structuredContent"] == structured
    assert tool is DESCRIBED or len(result["content"]) == 1


async def test_a_json_media_type_is_one_whatever_its_name() -> None:
    for name in ("application/problem+json", "application/json; charset=utf-8", "TEXT/JSON"):
        result = await result_of(b"[]", name)
        assert result == {
            "resultType": "complete",
            "content": [{"type": "text", "text": "[]"}],
            "structuredContent": {"result": []},
        }


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
def test_data_of_another_type_in_an_answers_place_is_what_is_seen(answer: Response[Any]) -> None:
    data: Any
    for data in ({"rows": 2}, [1], 7, True):
        result = to_result(replace(answer, data=data), PLAIN, ResultLimit(LIMIT, ""))
        assert texts(result)[0] == json.dumps(data, separators=(",", ":"))
        structured = data if isinstance(data, dict) else {"result": data}
        assert result["structuredContent"] == structured
    said = to_result(replace(answer, data="two rows"), PLAIN, ResultLimit(LIMIT, ""))
    assert texts(said)[0] == ('"two rows"' if answer.kind == "json" else "two rows")
    picture = replace(answer, data=b"\x89PNG\r\n\x1a\n", kind="binary", content_type="image/png")
    assert to_result(picture, PLAIN, ResultLimit(LIMIT, ""))["content"][0]["type"] == "image"
    if answer.kind in ("json", "text", "empty"):
        bare = to_result(
            replace(answer, data=b"\xff", content_type=None), PLAIN, ResultLimit(LIMIT, "")
        )
        assert bare["content"][0]["resource"]["blob"] == "/w=="


DRIFT = [
    (b'{"a": ', "application/json", "not well-formed JSON at character 6", '{"a": '),
    (b"<html>login</html>", "application/json", "not well-formed", "<html>login</html>"),
    (b"<html>login</html>", "text/html", "it is text/html", "<html>login</html>"),
    (b'{"a":NaN}', "application/json", "holds NaN", '{"a":NaN}'),
    (b'{"a":-Infinity}', "application/json", "holds -Infinity", '{"a":-Infinity}'),
    (b'{"a":1e999}', "application/json", "beyond the range", '{"a":1e999}'),
    (b"9" * 5000, "application/json", "more than 4,000 digits", "9" * 5000),
    (b'{"a":"1","a":"2"}', "application/json", "repeats a key", '{"a":"1","a":"2"}'),
    (b"0.10000000000000000001", "application/json", "more digits", "0.10000000000000000001"),
    (b'{"a":"\xff"}', "application/json", "ISO-8859-1", '{"a":"ÿ"}'),
    (b'{"a":"x"}', "application/json; charset=x-evil", "charset is unknown", '{"a":"x"}'),
    (b'{"a":"x"}', "application/json; charset=rot13", "charset is unknown", '{"a":"x"}'),
    (b'{"a":"x"}', "text/plain", "text/plain although it is JSON", '{"a":"x"}'),
    (b'{"a":"x"}', "application/octet-stream", "although it is JSON", '{"a":"x"}'),
    (b'{"a":"x"}', None, "Content-Type is missing", '{"a":"x"}'),
    (b'{"a":"x"}', "not a type;;", "Content-Type cannot be read", '{"a":"x"}'),
    (b"just text", None, "Content-Type is missing", "just text"),
    (b"a,b", "text/csv", "it is text/csv and not the declared application/json", "a,b"),
    (b"[" * 100_000, "application/json", "nested too deeply|well-formed", "[" * 100_000),
    (b"[" * 150 + b"]" * 150, "application/json", "deeper than 100", "[" * 150 + "]" * 150),
    (b'{"a":1}', "application/json", "`a` must be a string", '{"a":1}'),
]


@pytest.mark.parametrize(("body", "content_type", "note", "text"), DRIFT)
async def test_drift_loses_nothing_and_is_named(
    body: bytes,
    content_type: str | None,
    note: str,
    text: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = await result_of(body, content_type, tool=DESCRIBED)
    found = texts(result)
    assert found[0] == text
    assert len(found) == 2
    assert found[1].startswith("The call succeeded, but")
    import re

    assert re.search(note, found[1])
    assert re.search(note, caplog.text)


@pytest.mark.parametrize(
    ("inside", "wanted"),
    [
        ({"type": "array", "items": {"type": "integer"}}, "an array"),
        ({"$ref": "#/$defs/Names"}, "an array or null"),
        ({"oneOf": [{"type": "array"}, {"type": "string"}]}, "another value"),
    ],
)
async def test_an_object_where_none_is_declared_is_called_that(
    inside: dict[str, Any], wanted: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its document knows no `result`: that is where structured content has a list."""
    wrapped = {"type": "object", "properties": {"result": inside}, "required": ["result"]}
    output = {
        "type": "object",
        "anyOf": [wrapped, {"type": "object"}],
        "$defs": {"Names": {"type": ["array", "null"]}},
    }
    result = await result_of(b'{"items":[1]}', tool={**DESCRIBED, "outputSchema": output})
    said = f"it is an object without `result`, where {wanted} is declared."
    assert texts(result)[1].endswith(said)
    assert said in caplog.text
    assert result["structuredContent"] == {"items": [1]}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"[1]", "an array of 1"),
        (b'"a"', 'the string "a"'),
        (b"5", "the number 5"),
        (b"null", "null"),
    ],
)
async def test_what_is_no_object_where_one_is_declared_is_named(body: bytes, found: str) -> None:
    """Structured content has it in an object, which is none of the document's."""
    declared = {"type": "object", "properties": {"items": {"type": "array"}}}
    output = {"type": "object", "anyOf": [declared, {"type": "object"}]}
    result = await result_of(body, tool={**DESCRIBED, "outputSchema": output})
    assert texts(result)[1].endswith(f"it must be an object, and is {found}.")
    assert result["structuredContent"] == {"result": json.loads(body)}


@pytest.mark.parametrize("body", [b"[1]", b'{"items": [1]}', b'{"result": [1]}'])
async def test_an_object_or_an_array_where_both_are_declared_fits(body: bytes) -> None:
    declared = {"type": ["object", "array"], "properties": {"items": {"type": "array"}}}
    wrapped = {"type": "object", "properties": {"result": declared}, "required": ["result"]}
    output = {"type": "object", "anyOf": [{"anyOf": [declared, wrapped]}, {"type": "object"}]}
    result = await result_of(body, tool={**DESCRIBED, "outputSchema": output})
    assert len(texts(result)) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"required": []}, "`items` is unknown"),
        ({"properties": {"result": {}, "more": {}}}, "`result` is required, and missing"),
    ],
)
async def test_an_object_that_has_a_result_of_its_own_is_judged_as_one(
    more: dict[str, Any], said: str
) -> None:
    own = {
        "type": "object",
        "properties": {"result": {"type": "array"}},
        "required": ["result"],
        "additionalProperties": False,
    }
    output = {"type": "object", "anyOf": [{**own, **more}, {"type": "object"}]}
    result = await result_of(b'{"items":[1]}', tool={**DESCRIBED, "outputSchema": output})
    assert said in texts(result)[1]


@pytest.mark.parametrize(
    ("schema", "shown", "logged"),
    [
        ({"type": "integer"}, 'and is the string "ada@home.example"', "`a` must be an integer."),
        ({"enum": ["ada@home.exampl"]}, "did you mean", '`a` must be one of "ada@home.exampl".'),
        ({"const": "b"}, 'and is the string "ada', '`a` must be "b".'),
        ({"pattern": "^b"}, 'and is the string "ada', '`a` must match the pattern "^b".'),
        (
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            'and is the string "ada',
            "`a` must be an integer or null.",
        ),
    ],
)
async def test_the_log_shows_no_value_of_an_answer(
    schema: Any, shown: str, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The agent may see what its call was answered; who reads the log need not be allowed to."""
    described = {"type": "object", "properties": {"a": schema}}
    tool = {**PLAIN, "outputSchema": {"type": "object", "anyOf": [described, {"type": "object"}]}}
    result = await result_of(b'{"a":"ada@home.example"}', "application/json", tool=tool)
    assert shown in texts(result)[1]
    assert "ada@home.example" not in caplog.text.replace('"ada@home.exampl"', "")
    assert caplog.messages[0].endswith(logged)


async def test_another_success_status_is_named() -> None:
    result = await result_of(b'{"a":"x"}', status=202, tool=DESCRIBED)
    assert "its status 202 is not among the declared 200" in texts(result)[1]


async def test_half_a_surrogate_pair_stays_in_the_text_and_harms_no_one() -> None:
    result = await result_of(b'{"a":"x\\ud800"}', tool=DESCRIBED)
    assert texts(result)[0] == '{"a":"x\\ud800"}'
    assert result["structuredContent"] == {"a": "x\ufffd"}
    assert "surrogate" in texts(result)[1]


@pytest.mark.parametrize(
    ("body", "limit", "said"),
    [
        (b'{"a":["\\ud800","\xe2\x80\xae"]}', LIMIT, 'and is the string "\\ud800"'),
        (b'{"a":["\xe2\x80\xae"]}', LIMIT, 'and is the string "\\u202e"'),
        (b'{"\\ud800":[%s]}' % b",".join([b"12345"] * 99), 200, "/\\ud800: "),
    ],
)
async def test_what_is_said_of_an_answer_shows_its_values_and_names_as_text_blocks_do(
    body: bytes, limit: int, said: str
) -> None:
    described = {"properties": {"a": {"items": {"type": "integer"}}}}
    tool = {**PLAIN, "outputSchema": {"type": "object", "anyOf": [described, {"type": "object"}]}}
    assert said in texts(await result_of(body, tool=tool, limit=limit))[1]


async def test_a_strict_schema_that_the_answer_misses_does_not_lose_the_answer() -> None:
    fits = await result_of(b'{"a":"x"}', tool=STRICT)
    assert "isError" not in fits
    misses = await result_of(b'{"a":1}', tool=STRICT)
    assert misses["isError"]
    assert texts(misses)[0] == '{"a":1}'
    assert "strict output schema" in texts(misses)[1]


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
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
    ],
)
async def test_text_is_text(body: bytes, content_type: str, text: str) -> None:
    accept = content_type.partition(";")[0]
    result = await result_of(body, content_type, accept=accept)
    assert result == {"resultType": "complete", "content": [{"type": "text", "text": text}]}
    described = await result_of(body, content_type, accept=accept, tool=DESCRIBED)
    assert described["structuredContent"] == {"result": text.replace("\\u001e", "\x1e")}


@pytest.mark.parametrize(
    ("encoding", "content_type", "written", "text"),
    [
        ("windows-1251", "application/xml", "windows-1251", "Доллар"),
        ("Shift_JIS", "application/soap+xml", "shift_jis", "日本語"),
        ("ISO-8859-1", "text/xml", "utf-8-sig", "é"),
        ("windows-1251", "text/xml; charset=utf-8", "utf-8", "é"),
        ("UTF-16", "application/xml", "utf-8", "é"),
        ("klingon", "application/xml", "utf-8", "é"),
        ("ISO-8859-1", "text/plain", "utf-8", "é"),
    ],
)
async def test_xml_is_read_in_the_encoding_that_it_declares(
    encoding: str, content_type: str, written: str, text: str
) -> None:
    page = f"<?xml version='1.0' encoding='{encoding}'?><a>{text}</a>"
    accept = content_type.partition(";")[0]
    assert texts(await result_of(page.encode(written), content_type, accept=accept)) == [page]


async def test_a_media_type_among_several_declared_ones_is_no_drift() -> None:
    accept = "application/json, text/csv;q=0.5, image/*"
    for body, name in ((b"a,b", "text/csv"), (b"x", "image/gif"), (b"{}", "application/hal+json")):
        assert len((await result_of(body, name, accept=accept))["content"]) == 1


@pytest.mark.parametrize("tool", [PLAIN, DESCRIBED])
@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (204, {}, "The API answered 204 No Content."),
        (
            201,
            {"Location": "/x/1"},
            "The API answered 201 Created without content.\nlocation: /x/1",
        ),
        (
            302,
            {"Location": "https://a/b"},
            "answered 302 Found, a redirect.\nlocation: https://a/b",
        ),
        (304, {"ETag": '"e"'}, 'The API answered 304 Not Modified.\netag: "e"'),
    ],
)
async def test_nothing_is_said_in_a_short_text(
    status: int, headers: dict[str, str], expected: str, tool: dict[str, Any]
) -> None:
    result = await result_of(
        b"", None, status, tool, headers=headers, expect=("2XX", "204", "302", "304")
    )
    assert expected in texts(result)[0]
    assert len(result["content"]) == 1


async def test_a_link_of_any_length_is_read_in_bounded_time() -> None:
    start = time.process_time()
    result = await result_of(b"{}", headers={"Link": "rel=a " * 10_000}, expect=("2XX",))
    assert time.process_time() - start < 1
    assert len(result["content"]) == 1


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [
        (200, {"Link": '<https://a.example/b?page=2>; rel="next"', "X-Rate": "9"}, ["link"]),
        (200, {"Link": "<https://a.example/b>; rel=prev, <c>; rel=up"}, ["link"]),
        (200, {"Link": '<https://a.example/b>; rel = "last NEXT"'}, ["link"]),
        (200, {"Link": "<https://a.example/b?next>; rel=nextish"}, []),
        (200, {"Link": "<https://a.example/api>; rel=service-desc", "Retry-After": "5"}, []),
        (201, {"Location": "/beds/7", "Content-Location": "/beds"}, ["location"]),
        (202, {"Location": "/jobs/1", "Retry-After": "5"}, ["location", "retry-after"]),
        (206, {"Content-Range": "bytes 0-3/9", "Accept-Ranges": "bytes"}, ["content-range"]),
        (200, {"Content-Range": "items 0-24/3573"}, ["content-range"]),
        (200, {"X-Next-Token": "b", "X-Request-Id": "1"}, ["x-next-token"]),
        (200, {"opc-next-page": "b", "X-Per-Page": "20"}, ["opc-next-page"]),
        (200, {"Next-Page": "", "x-ms-continuation": "b"}, ["x-ms-continuation"]),
        (200, {"X-Total-Count": "9", "X-Cursor": "b"}, ["x-total-count", "x-cursor"]),
        (200, {"X-Pagination": '{"page":1}', "X-Total-Time": "3"}, ["x-pagination"]),
        (200, {"X-NextJS-Cache": "HIT", "X-Page-Speed": "1", "X-Total": "9"}, ["x-total"]),
    ],
)
async def test_where_an_answer_with_content_leads_is_told_beside_it(
    status: int, headers: dict[str, str], told: list[str]
) -> None:
    body = b'{"id": 1}'
    result = await result_of(body, status=status, headers=headers, expect=("2XX",))
    text, *others = texts(result)
    assert json.loads(text) == result["structuredContent"] == {"id": 1}
    given = {name.lower(): value for name, value in headers.items()}
    assert others == (["\n".join(f"{name}: {given[name]}" for name in told)] if told else [])


@pytest.mark.parametrize(
    ("status", "expect", "told"),
    [
        (202, ("200", "202"), ["The API answered 202 Accepted.\nlocation: /jobs/1"]),
        (299, ("200", "299"), ["The API answered 299.\nlocation: /jobs/1"]),
        (200, ("200", "202"), ["location: /jobs/1"]),
        (202, ("202",), ["location: /jobs/1"]),
        (202, ("200", "2XX"), ["The API answered 202 Accepted.\nlocation: /jobs/1"]),
        (202, ("2XX", "default"), ["location: /jobs/1"]),
    ],
)
async def test_which_of_several_successes_it_is_is_told(
    status: int, expect: tuple[str, ...], told: list[str]
) -> None:
    """What a 202 says of the work to come looks like its result otherwise."""
    headers = {"Location": "/jobs/1"}
    result = await result_of(b'{"id": 1}', status=status, headers=headers, expect=expect)
    assert texts(result)[1:] == told


@pytest.mark.parametrize("status", [200, 302])
async def test_what_a_handler_makes_of_an_answer_is_what_is_told(status: int) -> None:
    """The API's own text, which is kept for the digits of a number, is then that of other data."""
    body = b'{"key": "hush", "a": 0.12345678901234567890}'
    json_, plain, binary = (
        interpret(Answer(status, "", {"content-type": kind}, body), (str(status),), kind)
        for kind in ("application/json", "text/plain", "image/x")
    )
    json_.data.pop("key")
    changed = [json_, replace(json_, data={"b": 1}), replace(plain, data="b")]
    for answer in changed:
        assert "hush" not in str(to_result(answer, PLAIN, ResultLimit(LIMIT, "")))
    if status == 200:
        result = to_result(replace(binary, data=b"b"), PLAIN, ResultLimit(LIMIT, ""))
        assert result["content"][0]["data"] == "Yg=="


@pytest.mark.parametrize("kind", ["json", "empty"])
def test_headers_that_a_handler_adds_are_told_however_they_are_written(kind: Kind) -> None:
    headers = {"Location": "/jobs/1", "X-Total-Count": "9"}
    answer: Response[Any] = Response(None, 201, headers=headers, kind=kind)
    told = texts(to_result(answer, PLAIN, ResultLimit(LIMIT, "")))[-1]
    assert told.endswith("location: /jobs/1\nx-total-count: 9")


@pytest.mark.parametrize("argument", ["If-Match", "if-none-match"])
async def test_an_entity_tag_is_told_where_the_tool_takes_one(argument: str) -> None:
    taken = {"type": "object", "properties": {"id": {}, argument: {"type": "string"}}}
    for tool, told in (({**PLAIN, "inputSchema": taken}, ['etag: W/"2"']), (PLAIN, [])):
        _, *others = texts(await result_of(b"{}", tool=tool, headers={"ETag": 'W/"2"'}))
        assert others == told


@pytest.mark.parametrize(
    ("status", "said"), [(200, "200 OK without content"), (204, "204 No Content")]
)
async def test_an_answer_of_headers_alone_is_told_whole(status: int, said: str) -> None:
    headers = {"Set-Cookie": "a=b", "Server": "s", "X-Count": "3", "Allow": "GET", "ETag": "e"}
    (text,) = texts(await result_of(b"", None, status, PLAIN, headers=headers, expect=("2XX",)))
    assert text == f"The API answered {said}.\netag: e\nx-count: 3\nallow: GET"


async def test_a_declared_redirect_with_a_page_is_both() -> None:
    result = await result_of(
        b"<a>moved</a>", "text/html", 302, headers={"Location": "/b"}, expect=("302",), accept="*/*"
    )
    assert texts(result) == [
        "The API answered 302 Found, a redirect.\nlocation: /b\ncontent-type: text/html\n"
        "content-length: 12",
        "<a>moved</a>",
    ]


async def test_emptiness_where_content_is_declared_is_named() -> None:
    for expect in (("200",), ("2XX",), ("200", "204")):
        result = await result_of(b"", tool=DESCRIBED, expect=expect)
        assert "it is empty although content is declared" in texts(result)[1]


@pytest.mark.parametrize("expect", [("200", "207"), ("200", "202", "204"), ("200", "2XX")])
async def test_emptiness_is_no_misfit_where_the_content_may_be_that_of_another_success(
    expect: tuple[str, ...],
) -> None:
    result = await result_of(b"", None, tool=DESCRIBED, expect=expect)
    assert texts(result) == ["The API answered 200 OK without content."]


def rows(count: int) -> bytes:
    return json.dumps(
        {"total": count, "rows": [{"id": i, "tags": [1, 2]} for i in range(count)]}
    ).encode()


async def test_json_over_the_cap_loses_whole_items_and_says_so() -> None:
    result = await result_of(rows(1000), limit=2000, tool=DESCRIBED)
    kept = result["structuredContent"]
    assert json.loads(texts(result)[0]) == kept
    assert kept["total"] == 1000
    count = len(kept["rows"])
    assert kept["rows"] == [{"id": i, "tags": [1, 2]} for i in range(count)]
    assert len(texts(result)[0]) <= 2000 < len(texts(result)[0]) + 30
    note = texts(result)[-1]
    assert f"/rows: {count} of 1000 items" in note
    assert "SHOP_MAX_RESULT_BYTES" in note
    assert "limit, filter or page" in note


async def test_json_that_is_exactly_as_large_as_the_cap_is_whole() -> None:
    body = b'{"a":[1,2,3]}'
    assert len((await result_of(body, limit=len(body)))["content"]) == 1
    cut = await result_of(body, limit=len(body) - 1)
    assert cut["structuredContent"] == {"a": [1, 2]}


async def test_json_without_arrays_is_cut_as_text() -> None:
    body = json.dumps({"a": "é" * 1000}, ensure_ascii=False).encode()
    result = await result_of(body, limit=100, tool=DESCRIBED)
    assert len(texts(result)[0].encode()) in (99, 100)
    assert "characters" in texts(result)[1]


async def test_text_over_the_cap_is_cut_between_characters() -> None:
    result = await result_of("é€😀".encode() * 100, "text/plain", limit=10, accept="text/plain")
    assert texts(result)[0] == "é€😀"
    assert "3 of 300 characters" in texts(result)[1]


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf"])
async def test_binary_over_the_cap_is_an_error_with_its_size(content_type: str) -> None:
    with pytest.raises(ToolError, match=rf"11 bytes of {content_type}.*SHOP_MAX_RESULT_BYTES"):
        await result_of(b"\xff" * 11, content_type, limit=10, accept="*/*")


@pytest.mark.parametrize(
    ("head", "tail", "text"),
    [(b'{"a":"x",', b'"a":"y"}', '{"a":"y"}'), (b'{"a":1.00000000000000000001', b"}", '{"a":1.0}')],
)
async def test_of_an_answer_that_is_long_for_its_blanks_nothing_is_said_to_be_left_out(
    head: bytes, tail: bytes, text: str
) -> None:
    """What its value does not hold is told, and so is where that does not fit."""
    result = await result_of(head + b" " * 2000 + tail, tool=DESCRIBED, limit=100)
    assert texts(result)[0] == text
    assert "Left out" not in texts(result)[1]
    assert ("must be a string" in str(result)) is ("1.0" in text)
    whole = await result_of(head + tail, tool=DESCRIBED)
    assert texts(whole)[0] == (head + tail).decode()


def test_a_handler_may_make_an_answer_of_its_own() -> None:
    result = on_the_wire(to_result(Response(data=[1]), PLAIN, ResultLimit(LIMIT, "V")))
    assert texts(result) == ["[1]"]
    assert result.get("structuredContent") == {"result": [1]}


def test_an_array_stays_one_where_a_tool_promises_one() -> None:
    """Before 2026-07-28 there were none: the message is made to fit such a revision later."""
    tool = {**PLAIN, "outputSchema": {"type": "array"}}
    result = to_result(Response(data=[1]), tool, ResultLimit(LIMIT, "V"))
    assert result["structuredContent"] == [1]


@pytest.mark.parametrize(
    ("data", "media_type", "held"),
    [
        (b"abc", "text/plain", {"text": "abc"}),
        (b"\xff", "text/plain", {"blob": "/w=="}),
        (b"abc", "application/pdf", {"blob": "YWJj"}),
    ],
)
def test_media_of_a_handler_are_text_or_bytes(
    data: bytes, media_type: str, held: dict[str, str]
) -> None:
    for uri in ("shop://a", ""):
        media = Media(data, media_type, uri=uri)
        (block,) = from_handler(media, PLAIN, ResultLimit(LIMIT, "V"))["content"]
        own = uri or block["resource"]["uri"]
        assert own.startswith(uri or "resource://")
        assert block["resource"] == {"uri": own, "mimeType": media_type, **held}


def test_what_checks_the_answers_of_tools_that_were_replaced_is_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mcpgen.runtime.content._validators", kept := {})
    monkeypatch.setattr("mcpgen.runtime.content._MOST_VALIDATORS", 3)
    tools = [{**DESCRIBED, "outputSchema": dict(DESCRIBED["outputSchema"])} for _ in range(5)]
    for tool in [*tools, tools[0], tools[4]]:
        result = to_result(Response({"id": "none"}), tool, ResultLimit(LIMIT, ""))
        assert "not as its document says" in texts(result)[1]
    assert len(kept) == 3
