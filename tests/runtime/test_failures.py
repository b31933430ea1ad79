"""What an agent is told when the API refuses."""

from __future__ import annotations

import httpx2
import pytest

from mcpgen.runtime import ApiError

from .support import client

pytestmark = pytest.mark.anyio

FAILURES = [
    (404, b'{"message":"no such pet"}', {}, ["404 Not Found", "no such pet", "will not help"]),
    (
        422,
        b'{"type":"about:blank","title":"Invalid","detail":"x is bad","errors":[{"f":"x"}]}',
        {},
        ["422", "x is bad; Invalid", '"errors":[{"f":"x"}]'],
    ),
    (429, b"", {"Retry-After": "7"}, ["429 Too Many Requests", "after 7 seconds may help"]),
    (503, b"<html><style>x</style><b>Down &c</b></html>", {}, ["503", "says: Down &c", "later"]),
    (500, b'{"error":{"code":3,"message":"boom"}}', {}, ["500", "boom"]),
    (409, b"plain words", {}, ["409 Conflict", "plain words", "state"]),
    (429, b"", {"Retry-After": "99999999"}, ["more than a day"]),
    (429, b"", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, ["after 0 seconds"]),
    (429, b"", {"Retry-After": "soon"}, ["Retrying later may help"]),
    (403, b"", {"Retry-After": "60"}, ["403", "Retrying after 60 seconds may help"]),
    (403, b"", {"X-RateLimit-Remaining": "0"}, ["403", "Retrying later may help"]),
    (403, b"", {"X-RateLimit-Remaining": "9"}, ["403", "credentials of this server"]),
    (403, b"", {}, ["403", "credentials of this server"]),
    (429, b"", {"X-RateLimit-Reset": "1000000000"}, ["Retrying after 0 seconds may help"]),
    (429, b"", {"X-RateLimit-Reset": "9000000000.5"}, ["asks to wait more than a day"]),
    (429, b"", {"X-RateLimit-Reset": "30"}, ["Retrying later may help"]),
    (429, b"", {"X-RateLimit-Reset": "9000000000", "Retry-After": "2"}, ["after 2 seconds"]),
    (503, b"", {"X-RateLimit-Reset": "1000000000"}, ["Retrying later may help"]),
    (
        403,
        b"",
        {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000000"},
        ["after 0 seconds"],
    ),
    (
        403,
        b"",
        {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="files:write"'},
        ['It says: Bearer error="insufficient_scope", scope="files:write"\n', "credentials"],
    ),
    (529, b"", {}, ["529", "Retrying later may help"]),
    (501, b"", {}, ["501", "will not help"]),
    (400, b"x" * 50_000, {}, ["(46,000 more characters)"]),
    (999, b'"\\ud800"', {}, ["999"]),
    (500, b"\xff\0\1", {"Content-Type": "image/png"}, ["3 bytes of image/png"]),
]


@pytest.mark.parametrize(("status", "body", "headers", "expected"), FAILURES)
async def test_a_failure_says_what_the_api_says_and_whether_to_retry(
    status: int, body: bytes, headers: dict[str, str], expected: list[str]
) -> None:
    if "Content-Type" not in headers and body[:1] in (b"{", b'"'):
        headers = {**headers, "Content-Type": "application/problem+json"}
    api = client(lambda _: httpx2.Response(status, headers=headers, content=body))
    with pytest.raises(ApiError) as failed:
        await api.send("GET", "/x")
    for text in expected:
        assert text in failed.value.message
    assert failed.value.status == status
    assert len(failed.value.message) < 5000


@pytest.mark.parametrize(
    ("method", "advice"), [("GET", "since the state"), ("HEAD", "since"), ("POST", "is already as")]
)
async def test_what_is_not_modified_is_unchanged_or_was_so_before(method: str, advice: str) -> None:
    """A POST that starts what is running is answered 304 by some APIs."""
    api = client(lambda _: httpx2.Response(304))
    with pytest.raises(ApiError, match=advice):
        await api.send(method, "/x")


@pytest.mark.parametrize(
    ("method", "status", "advice"),
    [
        ("POST", 500, "The request may have been carried out"),
        ("PATCH", 504, "The request may have been carried out"),
        ("POST", 503, "Retrying later may help"),
        ("POST", 429, "Retrying later may help"),
        ("DELETE", 502, "Retrying later may help"),
    ],
)
async def test_what_may_have_been_carried_out_is_not_to_be_repeated(
    method: str, status: int, advice: str
) -> None:
    api = client(lambda _: httpx2.Response(status))
    with pytest.raises(ApiError, match=advice):
        await api.send(method, "/x")


async def test_a_declared_error_status_is_still_an_error() -> None:
    api = client(lambda _: httpx2.Response(404, json={}))
    with pytest.raises(ApiError, match="404"):
        await api.send("GET", "/x", expect=("200", "404", "default"))
