"""What agents see of an answer's status and headers, beside its content and where there is none."""

import json
from dataclasses import replace

import pytest
from tables import table

from mcpgen.runtime import Response
from mcpgen.runtime.backend.answer import Answer, interpret
from mcpgen.runtime.results.content import to_result
from mcpgen.runtime.results.limits import ResultLimit
from mcpgen.runtime.values.errors import ApiError

from ..mapping import DESCRIBED, LIMIT, PLAIN, result_of, texts


@pytest.mark.parametrize("tool", [PLAIN, DESCRIBED])
@table(
    "status, headers, expected",
    (204, {}, "The API answered 204 No Content."),
    (201, {"Location": "/x/1"}, "The API answered 201 Created without content.\nlocation: /x/1"),
    (302, {"Location": "https://a/b"}, "answered 302 Found, a redirect.\nlocation: https://a/b"),
    (304, {"ETag": '"e"'}, 'The API answered 304 Not Modified.\netag: "e"'),
)
async def test_nothing_is_said_in_a_short_text(status, headers, expected, tool):
    result = await result_of(
        b"", None, status, tool, headers=headers, expect=("2XX", "204", "302", "304")
    )
    assert expected in texts(result)[0]
    assert len(result["content"]) == 1


async def test_a_link_of_any_length_is_read_in_bounded_time():
    result = await result_of(b"{}", headers={"Link": "rel=a " * 10_000}, expect=("2XX",))
    assert len(result["content"]) == 1


@table(
    "status, headers, told",
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
)
async def test_where_an_answer_with_content_leads_is_told_beside_it(status, headers, told):
    body = b'{"id": 1}'
    result = await result_of(body, status=status, headers=headers, expect=("2XX",))
    text, *others = texts(result)
    given = {name.lower(): value for name, value in headers.items()}
    beside = {"_headers": {name: given[name] for name in told}} if told else {}
    assert json.loads(text) == {"id": 1}
    assert result["structuredContent"] == {"id": 1, **beside}
    assert others == (["\n".join(f"{name}: {given[name]}" for name in told)] if told else [])


@table(
    "status, expect, told",
    (202, ("200", "202"), ["The API answered 202 Accepted.\nlocation: /jobs/1"]),
    (299, ("200", "299"), ["The API answered 299.\nlocation: /jobs/1"]),
    (200, ("200", "202"), ["location: /jobs/1"]),
    (202, ("202",), ["location: /jobs/1"]),
    (202, ("200", "2XX"), ["The API answered 202 Accepted.\nlocation: /jobs/1"]),
    (202, ("2XX", "default"), ["location: /jobs/1"]),
)
async def test_which_of_several_successes_it_is_is_told(status, expect, told):
    """What a 202 says of the work to come looks like its result otherwise."""
    headers = {"Location": "/jobs/1"}
    result = await result_of(b'{"id": 1}', status=status, headers=headers, expect=expect)
    assert texts(result)[1:] == told


@pytest.mark.parametrize("status", [200, 302])
async def test_what_a_handler_makes_of_an_answer_is_what_is_told(status):
    """The API's own text, which is kept for the digits of a number, is then that of other data."""
    body = b'{"key": "hush", "a": 0.12345678901234567890}'
    json_, plain, binary = (
        interpret(Answer(status, {"content-type": kind}, body), (str(status),), kind)
        for kind in ("application/json", "text/plain", "image/x")
    )
    json_.data.pop("key")
    changed = [json_, replace(json_, data={"b": 1}), replace(plain, data="b")]
    for answer in changed:
        assert "hush" not in str(to_result(answer, PLAIN, ResultLimit(LIMIT, "")))
    if status == 200:
        result = to_result(replace(binary, data=b"\xff"), PLAIN, ResultLimit(LIMIT, ""))
        assert result["content"][0]["resource"]["blob"] == "/w=="


@pytest.mark.parametrize("kind", ["json", "empty"])
def test_headers_that_a_handler_adds_are_told_however_they_are_written(kind):
    headers = {"Location": "/jobs/1", "X-Total-Count": "9"}
    answer = Response(None, 201, headers=headers, kind=kind)
    told = texts(to_result(answer, PLAIN, ResultLimit(LIMIT, "")))[-1]
    assert told.endswith("location: /jobs/1\nx-total-count: 9")


async def test_headers_that_the_document_declares_are_told_beside_a_body():
    headers = {"ETag": 'W/"2"', "x-token": "\x1b[1mt", "X-Other": "o"}
    tell = ("ETag", "X-Token", "X-Missing")
    for tool in (PLAIN, DESCRIBED):
        result = await result_of(b'{"a": "b"}', tool=tool, headers=headers, tell=tell)
        assert texts(result)[1:] == ['ETag: W/"2"\nX-Token: \\u001b[1mt']
        found = result["structuredContent"]
        assert found == {"a": "b", "_headers": {"ETag": 'W/"2"', "X-Token": "\x1b[1mt"}}


@table(
    "body, kind, expected",
    (b"[1]", "application/json", {"result": [1], "_headers": {"ETag": "e"}}),
    (b"t", "text/plain", {"result": "t", "_headers": {"ETag": "e"}}),
    (b"", None, {"result": None, "_headers": {"ETag": "e"}}),
    (b'{"_headers": 1}', "application/json", {"_headers": 1}),
)
async def test_structured_content_of_any_answer_has_them(body, kind, expected):
    result = await result_of(body, kind, 201, DESCRIBED, headers={"ETag": "e"}, tell=("ETag",))
    assert result["structuredContent"] == expected
    assert "e" in texts(result)[-2]


async def test_a_strict_schema_that_forbids_them_has_none():
    closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    tool = {**PLAIN, "outputSchema": closed}
    result = await result_of(b'{"a": 1}', tool=tool, headers={"ETag": "e"}, tell=("ETag",))
    assert result["structuredContent"] == {"a": 1}
    assert texts(result)[1:] == ["ETag: e"]
    assert "isError" not in result


async def test_an_error_tells_them_too():
    headers = {"ETag": 'W/"3"', "X-Other": "o"}
    with pytest.raises(ApiError, match=r'changed\.\nETag: W/"3"\Z'):
        await result_of(b"", None, 412, headers=headers, tell=("ETag", "X-None"))


@table("status, said", (200, "200 OK without content"), (204, "204 No Content"))
async def test_an_answer_of_headers_alone_is_told_whole(status, said):
    headers = {"Set-Cookie": "a=b", "Server": "s", "X-Count": "3", "Allow": "GET", "ETag": "e"}
    (text,) = texts(await result_of(b"", None, status, PLAIN, headers=headers, expect=("2XX",)))
    assert text == f"The API answered {said}.\netag: e\nx-count: 3\nallow: GET"


async def test_what_a_framework_says_to_browsers_or_of_itself_is_not_told():
    headers = {
        "Content-Type": "application/json",
        "Content-Length": "0",
        "X-Powered-By": "Express",
        "Access-Control-Allow-Origin": "",
        "Access-Control-Allow-Credentials": "true",
        "Content-Security-Policy-Report-Only": "img-src 'self'",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-DNS-Prefetch-Control": "off",
        "Access-Control-Allow-Methods": "GET, POST",
    }
    (text,) = texts(await result_of(b"", None, 204, PLAIN, headers=headers, expect=("204",)))
    told = "access-control-allow-methods: GET, POST"  # only preflights are answered with it
    assert text == f"The API answered 204 No Content.\n{told}"


async def test_a_declared_redirect_with_a_page_is_both():
    result = await result_of(
        b"<a>moved</a>", "text/html", 302, headers={"Location": "/b"}, expect=("302",), accept="*/*"
    )
    assert texts(result) == [
        "The API answered 302 Found, a redirect.\nlocation: /b\ncontent-type: text/html\n"
        "content-length: 12",
        "<a>moved</a>",
    ]
