"""Redirects: which are followed, and what is said of a call that was carried out before one."""

import anyio
import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiError, ServerUrl

from ..support import client, fast

REDIRECTS = [
    ("GET", 301, "b?q=1", ["GET /a/b?q=1"]),
    ("POST", 303, "/b", ["GET /b"]),
    ("POST", 302, "/b", None),
    ("PATCH", 308, "/b", ["PATCH /b"]),
    ("POST", 307, "https://other.example/b", None),
    ("GET", 302, "http://[", None),
    ("GET", 302, "/" + "a" * 70_000, None),
    ("GET", 302, "", None),
    ("GET", 301, "http://api.example/b", None),
]
UPWARDS = [
    ("http://api.example", "https://api.example/a/x", True),
    ("http://api.example:80", "https://API.example:443/a/x", True),
    ("http://api.example:8080", "https://api.example/a/x", False),
    ("http://api.example", "https://api.example:8443/a/x", False),
    ("http://api.example", "https://www.api.example/a/x", False),
    ("https://api.example", "http://api.example/a/x", False),
]


@pytest.mark.parametrize(("method", "status", "location", "followed"), REDIRECTS)
async def test_redirects_are_followed_within_the_origin_only(method, status, location, followed):
    requests = []

    def answer(request):
        requests.append(request)
        if len(requests) == 1:
            return httpx2.Response(status, headers={"Location": location} if location else {})
        return httpx2.Response(200, json={"ok": True})

    api = client(answer, api=Api(env_prefix="SHOP", servers=[ServerUrl("https://api.example")]))
    if followed is None:
        with pytest.raises(ApiError, match=f"{status} .*redirect"):
            await api.send(method, "/a/x")
        assert len(requests) == 1
    else:
        body = {"a": 1} if method in ("POST", "PATCH") else None
        await api.send(method, "/a/x", **({"json": body} if body else {}))
        last = requests[-1]
        assert [f"{last.method} {last.url.raw_path.decode()}"] == followed
        is_kept = body and status != 303  # RFC 9110 15.4.8, 15.4.9
        assert last.content == (b'{"a":1}' if is_kept else b"")
        assert last.headers.get("content-type") == ("application/json" if is_kept else None)


@pytest.mark.parametrize(("base", "location", "is_followed"), UPWARDS)
@pytest.mark.parametrize(("method", "status"), [("GET", 301), ("GET", 308), ("POST", 308)])
async def test_a_redirect_to_the_https_of_the_same_host_is_followed(
    base, location, is_followed, method, status
):
    """Many documents name `http://`, and their APIs are at `https://`: upwards only."""
    seen = []

    def answer(request):
        seen.append(str(request.url))
        if len(seen) == 1:
            return httpx2.Response(status, headers={"Location": location})
        return httpx2.Response(200, json={"secret": request.headers.get("x-key")})

    api = client(answer, api=Api(env_prefix="SHOP", servers=[ServerUrl(base)]))
    if not is_followed:
        with pytest.raises(ApiError, match="redirect"):
            await api.send(method, "/a/x")
        return
    assert (await api.send(method, "/a/x")).data == {"secret": None}
    assert httpx2.URL(seen[1]) == httpx2.URL("https://api.example/a/x")


@pytest.mark.parametrize(
    "then",
    [
        httpx2.Response(503),
        httpx2.Response(404),
        httpx2.Response(200, headers={"Content-Encoding": "gzip"}, content=b"\x1f\x8bx"),
        httpx2.ReadError("reset"),
        httpx2.ReadTimeout("late"),
        httpx2.RemoteProtocolError("no HTTP"),
        httpx2.ConnectError("gone"),
        httpx2.ConnectTimeout("far"),
        httpx2.PoolTimeout("full"),
        httpx2.Response(302, headers={"Location": "https://elsewhere.example/result"}),
        httpx2.Response(302, headers={"Location": "/result"}),
    ],
    ids=[
        *("503", "404", "corrupt", "reset", "late", "no HTTP"),
        *("gone", "far", "full", "elsewhere", "circle"),
    ],
)
async def test_what_was_carried_out_is_not_to_be_repeated_for_what_comes_after(then):
    """The API answered the POST with where its result is, and there is none."""

    def answer(request):
        if request.method != "GET":
            return httpx2.Response(303, headers={"Location": "/result"})
        if isinstance(then, httpx2.HTTPError):
            raise then
        return then

    api = client(answer)
    with pytest.raises(ApiError) as failed:
        await api.send("POST", "/x", json={})
    assert "The POST itself was answered before that" in failed.value.message
    assert "Retrying" not in failed.value.message
    assert "Nothing was sent" not in failed.value.message
    with pytest.raises(ApiError) as harmless:
        await api.send("PUT", "/x", json={})
    assert "itself" not in harmless.value.message


@table(
    "method, location, elsewhere",
    ("GET", "https://files.example/b?signed=1", True),
    ("GET", "file:///etc/passwd", False),
    ("GET", "", False),
    ("POST", "https://files.example/b", False),
)
async def test_where_a_download_is_that_is_kept_elsewhere_is_told(method, location, elsewhere):
    headers = {"Location": location} if location else {}
    api = client(lambda _: httpx2.Response(302, headers=headers))
    with pytest.raises(ApiError) as refused:
        await api.send(method, "/x")
    assert location in refused.value.message
    assert ("may be there: fetch it without this server" in refused.value.message) is elsewhere
    assert refused.value.message.endswith(" unless the API's base URL is corrected.")


async def test_what_was_carried_out_is_told_when_time_is_up_and_elsewhere():
    async def answer(request):
        if request.method == "GET":
            await anyio.sleep_forever()
        return httpx2.Response(303, headers={"Location": "/result"})

    with pytest.raises(ApiError, match="did not answer completely") as failed:
        await client(answer, settings=fast(timeout=0.5)).send("POST", "/x", json={})
    assert "The POST itself was answered before that" in failed.value.message
    elsewhere = {"Location": "https://elsewhere.example/result"}
    api = client(lambda _: httpx2.Response(303, headers=elsewhere))
    for method, carried_out in (("POST", True), ("PUT", False), ("GET", False)):
        with pytest.raises(ApiError) as failed:
            await api.send(method, "/x")
        assert (f"The {method} itself was answered" in failed.value.message) == carried_out
        assert ("Calling again will not help" in failed.value.message) != carried_out
    api = client(lambda _: httpx2.Response(302, headers={"Location": "/x"}))
    with pytest.raises(ApiError, match="more than 5 times"):
        await api.send("GET", "/x")
