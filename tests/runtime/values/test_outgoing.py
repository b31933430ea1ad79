"""A request on its way out: where it goes, what it carries, and what follows a redirect."""

from dataclasses import replace

import httpx2
import pytest
from tables import table

from mcpgen.runtime.backend.outgoing import Outgoing
from mcpgen.runtime.values.urls import Origin

HOME = "https://a.example"
GET = Outgoing("GET", HOME, "/v1/x?a=1", (("Accept", "*/*"), ("Content-Type", "a/b")), b"body")


@table(
    "location",
    *["", "https://b.example/y", "http://a.example/y", f"{HOME}:444/y", "//b.example/y"],
    *["https://u@a.example/y", "https://a.example:x/", "https://[::1", "/é", "/a b", "/a\x01"],
    *["/a\x7fb", "file:///etc/passwd"],
)
def test_no_other_redirect_is_followed(location):
    assert GET.redirected(302, location) is None
    assert replace(GET, method="POST", content=b"x").redirected(307, location) is None


@table(
    "method, status, then",
    ("GET", 303, "GET"),
    ("QUERY", 303, "GET"),
    ("QUERY", 302, "QUERY"),
    ("HEAD", 303, "HEAD"),
    ("HEAD", 302, "HEAD"),
    ("OPTIONS", 308, "OPTIONS"),
    ("POST", 303, "GET"),
    ("PUT", 303, "GET"),
    ("POST", 301, None),
    ("POST", 302, None),
    ("POST", 307, "POST"),
    ("DELETE", 308, "DELETE"),
)
def test_which_method_follows_a_redirect(method, status, then):
    found = replace(GET, method=method).redirected(status, "/y")
    assert (found and found.method) == then


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT"])
def test_what_was_sent_for_one_resource_is_not_sent_for_another(method):
    own = (("If-Match", '"a"'), ("Accept", "*/*"), ("Content-Language", "en"))
    sent = replace(GET, method=method, headers=own, content=b"x", after="POST")
    found = sent.redirected(303, "/y")
    assert (found.headers, found.content) == ((("Accept", "*/*"),), b"")
    assert found.after == "POST", "which is not to be repeated, however often it is redirected"
    assert sent.redirected(307, "/y") == replace(sent, target="/y")


@table(
    "location, target",
    ("/y", "/y?api%20key=%C3%A9%26"),
    ("/y?a=1", "/y?a=1&api%20key=%C3%A9%26"),
    ("/y?a=1&api%20key=x", "/y?a=1&api%20key=x"),
)
def test_a_credential_in_the_query_goes_along_within_the_origin(location, target):
    sent = replace(GET, credentials=(("api key", "é&"),))
    for status in (303, 307):
        found = sent.redirected(status, location)
        assert found.target == target
        assert found.redirected(status, location) == found
    assert sent.redirected(307, "https://b.example/y") is None


def test_what_a_request_becomes():
    sent = replace(GET, method="POST", headers=(("Accept", "*/*"), ("content-TYPE", "a/b")))
    expected = Outgoing("GET", HOME, "/y", (("Accept", "*/*"),), after="POST")
    assert sent.redirected(303, "/y") == expected
    sent = replace(GET, headers=(("AUTHORIZATION", "Bearer old"), ("X", "authorization")))
    headers = (("X", "authorization"), ("Authorization", "Bearer new"))
    assert sent.bearing("new") == replace(GET, headers=headers)
    request = GET.build("tool", httpx2.Timeout(1.0))
    assert (request.method, str(request.url)) == ("GET", f"{HOME}/v1/x?a=1")
    assert (request.headers["accept"], request.content) == ("*/*", b"body")
    assert request.extensions["timeout"] == httpx2.Timeout(1.0).as_dict()
    assert request.extensions["target"] == b"/v1/x?a=1"
    assert request.extensions["mcp_tool"] == "tool"
    assert GET.origin == Origin("https", "a.example", 443)
