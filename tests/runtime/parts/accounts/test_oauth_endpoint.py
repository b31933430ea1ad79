"""OAuth 2.0 with token endpoints that answer as a test says: what they are asked, what fails."""

import json
from base64 import b64encode
from typing import Any
from urllib.parse import quote_plus

import anyio
import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, OAuth2, Settings, ToolError
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.parts.accounts.oauth import Grant, tokens_of

from ...authorization import CLIENT, READ, SECRET
from ...support import client

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("by_client")]


class Endpoint:
    """A token endpoint that answers as a test says, before an API that accepts every token."""

    def __init__(self, *answers: httpx2.Response) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str | None, str]] = []
        """The Authorization header and the body of each request."""

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path != "/token":
            return httpx2.Response(200, json={})
        self.asked.append((request.headers.get("authorization"), request.content.decode()))
        return self._answers.pop(0)

    def shop(self) -> ApiClient:
        """A client of the API, whose tokens end at once."""
        scheme = OAuth2(
            "P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", *["https://x.example/token"] * 2
        )
        api = Api("P", security_schemes={"pets": scheme})
        return client(self, api=api, settings=Settings(base_url="https://x.example"))

    async def serve(self, calls: int = 1) -> None:
        """Call the API."""
        shop = self.shop()
        for _ in range(calls):
            await shop.send("GET", "/pets", security=READ)


def shop_of(endpoint: Any) -> ApiClient:
    """A client of an API whose tokens come from another host; both answer as a test says."""
    scheme = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", "https://login.example/token")
    api = Api("P", security_schemes={"pets": scheme})
    return client(endpoint, api=api, settings=Settings(base_url="https://api.example"))


def token(**more: Any) -> httpx2.Response:
    """A token that has ended as it comes."""
    body = {"access_token": "a", "token_type": "Bearer", "expires_in": 0, **more}
    return httpx2.Response(200, json=body)


@pytest.mark.parametrize("client_id", ["", "app"])
async def test_a_public_client_has_no_secret_to_send(client_id, monkeypatch):
    """RFC 6749 3.2.1: it names itself in the body, as far as it has a name."""
    monkeypatch.setenv("P_REFRESH", "first")
    monkeypatch.setenv("P_ID", client_id)
    monkeypatch.delenv("P_SECRET")
    endpoint = Endpoint(token())
    await endpoint.serve()
    named = "&client_id=app" if client_id else ""
    assert endpoint.asked == [(None, f"grant_type=refresh_token&refresh_token=first{named}")]


BASIC = (
    "Basic " + b64encode(quote_plus(CLIENT).encode() + b":" + quote_plus(SECRET).encode()).decode()
)
NO_CLIENT = httpx2.Response(401, json={"error": "invalid_client"})
NO_ID = httpx2.Response(400, json={"error": "invalid_request"})


@table(
    "answers, ways",
    ([token(), token()], [BASIC, BASIC]),
    ([NO_CLIENT, token(), token()], [BASIC, None, None]),
    ([NO_ID, token(), token()], [BASIC, None, None]),
    ([token(), NO_CLIENT, token()], [BASIC, BASIC, None]),
    ([NO_ID, token(), NO_CLIENT, token()], [BASIC, None, None, BASIC]),
)
async def test_a_client_says_who_it_is_as_the_server_takes_it(answers, ways):
    """Some read no Basic and miss the client's id (RFC 6749 2.3.1)."""
    endpoint = Endpoint(*answers)
    await endpoint.serve(2)
    assert [header for header, _ in endpoint.asked] == ways
    told = [("client_id=" in body, "client_secret=" in body) for _, body in endpoint.asked]
    assert told == [(way is None, way is None) for way in ways]


async def test_a_request_that_is_invalid_for_another_reason_is_sent_once():
    endpoint = Endpoint(token(), NO_ID)
    with pytest.raises(ToolError, match="invalid_request"):
        await endpoint.serve(2)
    assert [header for header, _ in endpoint.asked] == [BASIC, BASIC]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_failure_does_not_say_that_a_client_was_taken(status):
    endpoint = Endpoint(httpx2.Response(status), NO_ID, token())
    shop = endpoint.shop()
    with pytest.raises(ToolError, match=f"answered {status}"):
        await shop.send("GET", "/pets", security=READ)
    await shop.send("GET", "/pets", security=READ)
    assert [header for header, _ in endpoint.asked] == [BASIC, BASIC, None]


@pytest.mark.parametrize("error", [None, ""])
async def test_a_token_beside_an_error_that_is_none_is_one(error):
    """Servers that write all members of an object have that one too."""
    endpoint = Endpoint(token(error=error))
    await endpoint.serve()
    assert len(endpoint.asked) == 1


async def test_what_a_client_sent_is_not_told_where_the_server_repeats_it():
    asked = []

    def repeating(request):
        asked.append(request.headers.get("authorization", "") or request.content.decode())
        return httpx2.Response(
            401, json={"error": "invalid_client", "error_description": asked[-1]}
        )

    with pytest.raises(ToolError, match=r"client_secret=\[credential\]\)") as refused:
        await shop_of(repeating).send("GET", "/pets", security=READ)
    assert SECRET not in refused.value.message
    assert len(asked) == 2
    assert asked[0] == BASIC


async def test_a_refresh_token_that_was_used_up_elsewhere_is_not_the_last_one(monkeypatch):
    monkeypatch.setenv("P_REFRESH", "first")
    used_up = httpx2.Response(400, json={"error": "invalid_grant"})
    endpoint = Endpoint(token(refresh_token="second"), used_up, token(), used_up)
    await endpoint.serve(2)
    assert [body.rpartition("=")[2] for _, body in endpoint.asked] == ["first", "second", "first"]
    alone = Endpoint(used_up)
    with pytest.raises(ToolError, match="invalid_grant"):
        await alone.serve()
    assert len(alone.asked) == 1


ANSWERS: list[tuple[httpx2.Response | Exception, str]] = [
    (httpx2.ConnectError("x"), "there is no connection: it cannot be made."),
    (httpx2.ReadTimeout("x"), "it did not answer in time"),
    (httpx2.ReadError("x"), "its answer cannot be read"),
    (httpx2.Response(200, text="<html>"), "its answer holds none"),
    (httpx2.Response(200, json={"access_token": "a b"}), "its answer holds none"),
    (httpx2.Response(200, json={"access_token": "a", "token_type": "mac"}), "not of type Bearer"),
    (httpx2.Response(302, headers={"Location": "https://evil.example"}), "it answered 302"),
    (httpx2.Response(503, text="busy"), "Retrying later may help"),
    (httpx2.Response(429, headers={"Retry-After": "17"}), "Retrying after 17 seconds may help"),
    (httpx2.Response(503, headers={"Retry-After": "1234567"}), "Retrying after 1234567 seconds"),
    (httpx2.Response(400, headers={"Retry-After": "17"}), "Retrying will not help"),
    (httpx2.Response(400, json={"error": "temporarily_unavailable"}), "Retrying later may help"),
    (httpx2.Response(400, json={"error": ["x"], "error_description": {}}), "it answered 400"),
    (httpx2.Response(200, json={"error": "no_app", "status": "x"}), "it answered 200 (no_app)"),
    (httpx2.Response(200, content=b"[" * 100_000), "its answer holds none"),
]


@pytest.mark.parametrize(("answer", "said"), ANSWERS, ids=[said for _, said in ANSWERS])
async def test_an_endpoint_that_gives_no_token(answer, said):
    seen = []

    def endpoint(request):
        seen.append(request.url.host)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(ToolError, match="No access token came from login") as failed:
        await shop_of(endpoint).send("GET", "/pets", security=READ)
    assert said in failed.value.message
    assert set(seen) == {"login.example"}


@pytest.mark.parametrize(("refresh", "host"), [("", "login.example"), ("r", "refresh.example")])
async def test_who_gives_no_token_in_time_is_named(refresh, host):
    async def endpoint(_):
        await anyio.sleep_forever()
        raise AssertionError

    shop = client(endpoint, settings=Settings(base_url="https://api.example", timeout=0.05))
    urls = "https://login.example/token", "https://refresh.example/token", ""
    grant = Grant(*urls, "id", "secret", refresh, ())
    with pytest.raises(ToolError, match=f"No access token came from {host}: it did not answer in"):
        await tokens_of(shop._backend).get(grant)


@pytest.mark.parametrize("lasts", [None, "60", "soon", -1, 1e400, [1], 10**400])
async def test_how_long_a_token_lasts(lasts):
    asked = 0

    def endpoint(request):
        nonlocal asked
        if request.url.host == "login.example":
            asked += 1
            body = {"access_token": "a", "token_type": "bearer", "expires_in": lasts}
            return httpx2.Response(200, content=json.dumps(body))
        return httpx2.Response(200, json={})

    shop = shop_of(endpoint)
    for _ in range(2):
        await shop.send("GET", "/pets", security=READ)
    assert asked == (2 if lasts == -1 else 1)
