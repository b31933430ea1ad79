"""What an agent is told when the API refuses."""

import socket
import ssl
import sys
from datetime import datetime

import httpx2
import pytest
from tables import table

from mcpgen.runtime import ApiError, Settings, ToolError

from ..support import HOME, client

FAILURES = [
    (404, b'{"message":"no such pet"}', {}, ["404 Not Found", "no such pet", "will not help"]),
    (
        422,
        b'{"type":"about:blank","title":"Invalid","detail":"x is bad","errors":[{"f":"x"}]}',
        {},
        ["422", 'x is bad; Invalid; {"errors":[{"f":"x"}]}'],
    ),
    (429, b"", {"Retry-After": "7"}, ["429 Too Many Requests", "after 7 seconds may help"]),
    (503, b"<html><style>x</style><b>Down &c</b></html>", {}, ["503", "says: Down &c", "later"]),
    (502, b"<p>Load > 9<br>a < b</p><script>if (a) b</script>!", {}, ["says: Load > 9 a < b !"]),
    (500, b'{"error":{"code":3,"message":"boom"}}', {}, ["500", "boom"]),
    (409, b"plain words", {}, ["409 Conflict", "plain words", "state"]),
    (429, b"", {"Retry-After": "99999999"}, ["more than a day"]),
    (429, b"", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, ["after 0 seconds"]),
    (429, b"", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 -0000"}, ["after 0 seconds"]),
    (429, b"", {"Retry-After": "soon"}, ["Retrying later may help"]),
    (300, b"", {"Location": "/b"}, ["300 Multiple Choices", "call cannot end with this status"]),
    (500, b'[{"message":"boom"}]', {}, ['says: [{"message":"boom"}]']),
    (500, b"[null]", {}, ["says: [null]"]),
    (403, b"", {"Retry-After": "60"}, ["403", "Retrying after 60 seconds may help"]),
    (403, b"", {"X-RateLimit-Remaining": "0"}, ["403", "Retrying later may help"]),
    (403, b"", {"X-RateLimit-Remaining": "9"}, ["403", "this server sent no credentials"]),
    (401, b"wrong password", {}, ["password\nRetrying with the same", "this server sent no cred"]),
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
    (
        404,
        b'{"type":"https://e.example/p","title":"Not found","status":404,"detail":"No order 9.",'
        b'"instance":"/orders/9","request_id":"r1","traceId":"t1"}',
        {},
        ["It says: No order 9.\nRetrying"],
    ),
    (
        402,
        b'{"message":"declined","type":"card_error","code":402,"status":"402","decline":"stolen"}',
        {},
        ['It says: declined; {"type":"card_error","decline":"stolen"}\n'],
    ),
    (529, b"", {}, ["529", "Retrying later may help"]),
    (501, b"", {}, ["501", "will not help"]),
    (400, b"x" * 50_000, {}, ["(46,000 more characters)"]),
    (999, b'"\\ud800"', {}, ["999"]),
    (500, b"\xff\0\1", {"Content-Type": "image/png"}, ["3 bytes of image/png"]),
]


@pytest.mark.parametrize(("status", "body", "headers", "expected"), FAILURES)
async def test_a_failure_says_what_the_api_says_and_whether_to_retry(
    status, body, headers, expected
):
    if "Content-Type" not in headers and body[:1] in (b"{", b"[", b'"'):
        headers = {**headers, "Content-Type": "application/problem+json"}
    api = client(lambda _: httpx2.Response(status, headers=headers, content=body))
    with pytest.raises(ApiError) as failed:
        await api.send("GET", "/x")
    for text in expected:
        assert text in failed.value.message
    assert failed.value.status == status
    assert len(failed.value.message) < 5000


@table(
    "status, said",
    (404, "404 Not Found.\nRetrying will not help: nothing is there for these arguments."),
    (599, "599.\nRetrying later may help."),
)
async def test_a_failure_without_words_of_the_api_has_none(status, said):
    with pytest.raises(ApiError) as failed:
        await client(lambda _: httpx2.Response(status)).send("GET", "/x")
    assert failed.value.message == f"The API answered {said}"


@table(
    "headers", {"Retry-After": "Wed, 21 Oct 2015 07:28:02 GMT"}, {"X-RateLimit-Reset": "1445412482"}
)
async def test_a_wait_until_a_moment_is_not_over_before_it(monkeypatch, headers):
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2015, 10, 21, 7, 28, 0, 600_000, tz)

    monkeypatch.setattr("mcpgen.runtime.backend.failures.datetime", Clock)
    with pytest.raises(ApiError) as failed:
        await client(lambda _: httpx2.Response(429, headers=headers)).send("GET", "/x")
    assert failed.value.retry_after == 2


def refused(*causes: OSError) -> httpx2.ConnectError:
    """A connection that failed at each address of a host."""
    problem = httpx2.ConnectError("")
    problem.__cause__ = OSError("All connection attempts failed")
    problem.__cause__.__cause__ = ExceptionGroup("addresses", causes) if causes else None
    return problem


UNANSWERED = [
    (
        refused(ConnectionRefusedError(), OSError()),
        "the connection is refused: nothing seems to run",
    ),
    (refused(OSError(), socket.gaierror()), "the host's name cannot be resolved."),
    (refused(ssl.SSLError(1, "WRONG_VERSION_NUMBER")), "it does not speak TLS as expected."),
    (refused(), "it cannot be made. Nothing was sent."),
    (
        httpx2.LocalProtocolError(""),
        "A header or the URL holds characters that HTTP does not allow.",
    ),
    (
        httpx2.UnsupportedProtocol(""),
        "A header or the URL holds characters that HTTP does not allow.",
    ),
]


@pytest.mark.parametrize(("problem", "said"), UNANSWERED, ids=[said for _, said in UNANSWERED])
async def test_what_keeps_a_request_from_being_sent_is_told(problem, said):
    def answer(_):
        raise problem

    with pytest.raises(ApiError) as failed:
        await client(answer).send("POST", "/x")
    assert said in failed.value.message
    assert "Nothing was sent." in failed.value.message


@table(
    "settings, said",
    ({"ca_bundle": __file__}, "The CA bundle set in this server's environment cannot be read"),
    ({"ca_bundle": "/nowhere"}, "The CA bundle set in this server's environment cannot be read"),
    ({"proxy": "socks5://h:1"}, "the package `socksio` is not installed"),
)
async def test_what_no_connection_can_be_made_with_is_named(settings, said, monkeypatch):
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(ToolError, match=f"{said}.* Nothing was sent"):
        await client(settings=Settings(base_url=HOME, **settings)).send("GET", "/x")


@table(
    "method, status, said",
    ("POST", 200, " The request itself was probably carried out."),
    ("DELETE", 204, " The request itself was probably carried out."),
    ("POST", 400, ""),
    ("GET", 200, ""),
    ("POST", 500, " The request may have been carried out: find out before calling again."),
    ("PUT", 502, " Retrying may help and does no harm."),
)
async def test_what_may_have_been_carried_out_is_told_where_the_answer_cannot_be_read(
    method, status, said
):
    headers = {"Content-Encoding": "gzip"}
    api = client(lambda _: httpx2.Response(status, headers=headers, content=b"\x1f\x8bx"))
    with pytest.raises(ApiError) as failed:
        await api.send(method, "/x")
    broken = "its answer ends in the middle of its compressed data."
    assert failed.value.message == f"The API answered {status}, but {broken}{said}"


@table("method, advice", ("GET", "since the state"), ("HEAD", "since"), ("POST", "is already as"))
async def test_what_is_not_modified_is_unchanged_or_was_so_before(method, advice):
    """A POST that starts what is running is answered 304 by some APIs."""
    api = client(lambda _: httpx2.Response(304))
    with pytest.raises(ApiError, match=advice):
        await api.send(method, "/x")


@table(
    "method, status, advice",
    ("POST", 500, "The request may have been carried out"),
    ("PATCH", 504, "The request may have been carried out"),
    ("POST", 503, "Retrying later may help"),
    ("POST", 429, "Retrying later may help"),
    ("DELETE", 502, "Retrying later may help"),
)
async def test_what_may_have_been_carried_out_is_not_to_be_repeated(method, status, advice):
    api = client(lambda _: httpx2.Response(status))
    with pytest.raises(ApiError, match=advice):
        await api.send(method, "/x")


async def test_a_declared_error_status_is_still_an_error():
    api = client(lambda _: httpx2.Response(404, json={}))
    with pytest.raises(ApiError, match="404"):
        await api.send("GET", "/x", expect=("200", "404", "default"))
