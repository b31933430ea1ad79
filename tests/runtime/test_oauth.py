"""OAuth 2.0 against a real authorization server: client credentials, refresh, revocation."""

from __future__ import annotations

import asyncio
import json
import time
from base64 import b64encode
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote_plus

import anyio
import httpx2
import pytest

from mcpgen.runtime import Api, ApiError, OAuth2, Settings, ToolError
from mcpgen.runtime.auth import choose
from mcpgen.runtime.credentials.env_files import EnvironmentWithFiles
from mcpgen.runtime.credentials.oauth import Grant
from mcpgen.runtime.http import ApiClient

from .authorization import CLIENT, SECRET, Guarded
from .support import client

pytestmark = pytest.mark.anyio

READ, WRITE = [{"pets": ["pets:read"]}], [{"pets": ["pets:write"]}]


@pytest.fixture(autouse=True)
def by_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Client id and secret are set."""
    for name in ("TOKEN", "REFRESH", "SECRET_FILE"):
        monkeypatch.delenv(f"P_{name}", raising=False)
    monkeypatch.setenv("P_ID", CLIENT)
    monkeypatch.setenv("P_SECRET", SECRET)


def api_at(url: str, hooks: ModuleType | None = None, **settings: Any) -> ApiClient:
    """A client of the guarded API."""
    scheme = OAuth2(
        env="P_TOKEN",
        refresh_token_env="P_REFRESH",
        client_id_env="P_ID",
        client_secret_env="P_SECRET",
        token_url=f"{url}/token",
        refresh_url=f"{url}/token",
    )
    api = Api("P", security_schemes={"pets": scheme})
    known = Settings(base_url=url, timeout=20, retries=0, **settings)
    return client(api=api, settings=known, hooks=hooks)


async def test_a_token_is_had_once_and_used_until_it_ends(guarded: Guarded, url: str) -> None:
    shop = api_at(url)
    for _ in range(3):
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
    assert guarded.forms == [{"grant_type": ["client_credentials"], "scope": ["pets:read"]}]
    assert len({header for _, header in guarded.calls}) == 1


async def test_an_expired_token_is_not_sent(guarded: Guarded, url: str) -> None:
    guarded.lifetime = 1
    shop = api_at(url)
    await shop.send("GET", "/pets", security=READ)
    await asyncio.sleep(1)
    await shop.send("GET", "/pets", security=READ)
    assert len(guarded.forms) == 2
    assert [header.partition(" ")[0] for _, header in guarded.calls] == ["Bearer"] * 2


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_revoked_token_is_renewed_once(guarded: Guarded, url: str, method: str) -> None:
    shop = api_at(url)
    security = READ if method == "GET" else WRITE
    await shop.send(method, "/pets", security=security)
    guarded.revoke_all()
    assert (await shop.send(method, "/pets", security=security)).status == 200
    assert (len(guarded.forms), len(guarded.calls)) == (2, 3)


async def test_a_revoked_token_is_renewed_beside_what_a_hook_adds(
    guarded: Guarded, url: str
) -> None:
    def authenticate(request: httpx2.Request) -> None:
        request.headers["X-Signature"] = "a signature of the request"

    hooks = ModuleType("hooks")
    hooks.authenticate = authenticate  # type: ignore[attr-defined]
    shop = api_at(url, hooks)
    await shop.send("GET", "/pets", security=READ)
    guarded.revoke_all()
    assert (await shop.send("GET", "/pets", security=READ)).status == 200
    assert (len(guarded.forms), len(guarded.calls)) == (2, 3)


async def test_one_that_is_refused_again_is_told(guarded: Guarded, url: str) -> None:
    guarded.lifetime = -1
    shop = api_at(url)
    with pytest.raises(ApiError, match="401") as refused:
        await shop.send("GET", "/pets", security=READ)
    assert (len(guarded.forms), len(guarded.calls)) == (2, 2)
    assert "who are you?" in refused.value.message


async def test_a_hundred_calls_ask_for_one_token(guarded: Guarded, url: str) -> None:
    guarded.delay = 0.1
    shop = api_at(url)
    for expected in (1, 2):
        calls = [shop.send("GET", "/pets", security=READ) for _ in range(100)]
        assert {answer.status for answer in await asyncio.gather(*calls)} == {200}
        assert len(guarded.forms) == expected
        guarded.revoke_all()
    assert guarded.most_at_once == 1


async def test_a_hundred_calls_fail_by_one_answer(
    guarded: Guarded, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P_SECRET", "wrong-secret")
    guarded.delay = 0.1
    shop = api_at(url)
    calls = [shop.send("GET", "/pets", security=READ) for _ in range(100)]
    failures = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(failure) for failure in failures} == {ToolError}
    assert len(guarded.forms) == 3  # once by each way to authenticate
    assert guarded.calls == []
    text = str(failures[0])
    assert "401 (invalid_client)" in text
    assert "wrong-secret" not in text
    monkeypatch.setenv("P_SECRET", SECRET)
    assert (await shop.send("GET", "/pets", security=READ)).status == 200


async def test_a_caller_that_gives_up_does_not_take_the_others_along(
    guarded: Guarded, url: str
) -> None:
    guarded.delay = 0.3
    shop = api_at(url)
    first = asyncio.create_task(shop.send("GET", "/pets", security=READ))
    await asyncio.sleep(0.1)
    others = [asyncio.create_task(shop.send("GET", "/pets", security=READ)) for _ in range(5)]
    await asyncio.sleep(0.05)
    first.cancel()
    assert {answer.status for answer in await asyncio.gather(*others)} == {200}
    assert len(guarded.forms) == 1


async def test_a_caller_that_gives_up_does_not_lose_the_next_refresh_token(
    guarded: Guarded, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is used up is worth nothing any more."""
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    guarded.delay = 0.2
    shop = api_at(url)
    for _ in range(2):
        call = asyncio.create_task(shop.send("GET", "/pets", security=READ))
        while not guarded.at_once:
            await asyncio.sleep(0)
        call.cancel()
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
        guarded.revoke_all()
    assert len(guarded.forms) == 2


async def test_one_refresh_token_is_for_every_scope(
    guarded: Guarded, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    shop = api_at(url)
    for method, security in (("GET", READ), ("POST", WRITE), ("GET", READ)):
        assert (await shop.send(method, "/pets", security=security)).status == 200
    assert len(guarded.forms) == 1


async def test_scopes_have_their_own_tokens(guarded: Guarded, url: str) -> None:
    shop = api_at(url)
    await shop.send("GET", "/pets", security=READ)
    await shop.send("POST", "/pets", security=WRITE)
    await shop.send("GET", "/pets", security=READ)
    assert [form["scope"] for form in guarded.forms] == [["pets:read"], ["pets:write"]]


async def test_a_scope_that_the_api_finds_lacking(guarded: Guarded, url: str) -> None:
    with pytest.raises(ApiError, match="403") as refused:
        await api_at(url).send("POST", "/pets", security=READ)
    assert "pets:write is needed, [credential] lacks it" in refused.value.message
    assert len(guarded.forms) == 1


async def test_a_scope_that_the_authorization_server_refuses(guarded: Guarded, url: str) -> None:
    with pytest.raises(ToolError, match=r"400 \(invalid_scope\)"):
        await api_at(url).send("GET", "/pets", security=[{"pets": ["admin"]}])
    assert guarded.calls == []


@pytest.mark.parametrize("basic", [True, False])
async def test_both_ways_to_authenticate(guarded: Guarded, url: str, basic: bool) -> None:
    guarded.validator.basic_allowed, guarded.validator.body_allowed = basic, not basic
    guarded.lifetime = -1
    shop = api_at(url)
    with pytest.raises(ApiError):
        await shop.send("GET", "/pets", security=READ)
    ways = ["client_secret" in form for form in guarded.forms]
    assert ways == ([False, False] if basic else [False, True, True])


async def test_refresh_tokens_are_used_and_replaced(
    guarded: Guarded, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    shop = api_at(url)
    for _ in range(3):
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
        guarded.revoke_all()
    used = [form["refresh_token"][0] for form in guarded.forms]
    assert used[0] == "first-refresh-token"
    assert len(set(used)) == 3
    assert all("scope" not in form for form in guarded.forms)


async def test_a_refresh_token_that_is_worth_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P_REFRESH", "unknown-refresh-token")
    with pytest.raises(ToolError, match="invalid_grant") as refused:
        await api_at(url).send("GET", "/pets", security=READ)
    assert "unknown-refresh-token" not in refused.value.message


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

    async def serve(self, calls: int = 1) -> None:
        """Call the API, by a client whose tokens end at once."""
        scheme = OAuth2(
            "P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", *["https://x.example/token"] * 2
        )
        api = Api("P", security_schemes={"pets": scheme})
        shop = client(self, api=api, settings=Settings(base_url="https://x.example"))
        for _ in range(calls):
            await shop.send("GET", "/pets", security=READ)


def token(**more: str) -> httpx2.Response:
    """A token that has ended as it comes."""
    body = {"access_token": "a", "token_type": "Bearer", "expires_in": 0, **more}
    return httpx2.Response(200, json=body)


@pytest.mark.parametrize("client_id", ["", "app"])
async def test_a_public_client_has_no_secret_to_send(
    client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
AS_IT_IS = "Basic " + b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
NO_CLIENT = httpx2.Response(401, json={"error": "invalid_client"})
NO_ID = httpx2.Response(400, json={"error": "invalid_request"})


@pytest.mark.parametrize(
    ("answers", "ways"),
    [
        ([token(), token()], [BASIC, BASIC]),
        ([NO_CLIENT, token(), token()], [BASIC, None, None]),
        ([NO_ID, token(), token()], [BASIC, None, None]),
        ([NO_CLIENT, NO_CLIENT, token(), token()], [BASIC, None, AS_IT_IS, AS_IT_IS]),
        ([token(), NO_CLIENT, token()], [BASIC, BASIC, None]),
        ([NO_ID, token(), NO_CLIENT, token()], [BASIC, None, None, BASIC]),
    ],
)
async def test_a_client_says_who_it_is_as_the_server_takes_it(
    answers: list[httpx2.Response], ways: list[str | None]
) -> None:
    """Some read no Basic and miss the client's id, and some do not decode it (RFC 6749 2.3.1)."""
    endpoint = Endpoint(*answers)
    await endpoint.serve(2)
    assert [header for header, _ in endpoint.asked] == ways
    told = [("client_id=" in body, "client_secret=" in body) for _, body in endpoint.asked]
    assert told == [(way is None, way is None) for way in ways]


async def test_a_plain_secret_is_not_tried_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P_ID", "app")
    monkeypatch.setenv("P_SECRET", "plain-secret.~_")
    endpoint = Endpoint(NO_CLIENT, NO_CLIENT)
    with pytest.raises(ToolError, match="invalid_client"):
        await endpoint.serve()
    assert len(endpoint.asked) == 2


async def test_a_refresh_token_that_was_used_up_elsewhere_is_not_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("P_REFRESH", "first")
    used_up = httpx2.Response(400, json={"error": "invalid_grant"})
    endpoint = Endpoint(token(refresh_token="second"), used_up, token(), used_up)
    await endpoint.serve(2)
    assert [body.rpartition("=")[2] for _, body in endpoint.asked] == ["first", "second", "first"]
    alone = Endpoint(used_up)
    with pytest.raises(ToolError, match="invalid_grant"):
        await alone.serve()
    assert len(alone.asked) == 1


async def test_a_ready_token_goes_first(
    guarded: Guarded, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P_TOKEN", "ready")
    with pytest.raises(ApiError, match="401"):
        await api_at(url).send("GET", "/pets", security=READ)
    assert guarded.forms == []
    assert guarded.calls == [("GET", "Bearer ready")]


async def test_a_secret_in_a_file(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n", encoding="utf-8")
    monkeypatch.delenv("P_SECRET")
    monkeypatch.setenv("P_SECRET_FILE", str(secret))
    shop = api_at(url)
    assert (await shop.send("GET", "/pets", security=READ)).status == 200
    secret.unlink()
    with pytest.raises(ToolError, match="P_SECRET_FILE names cannot be read"):
        await shop.send("GET", "/pets", security=READ)


async def test_what_is_missing_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P_SECRET")
    with pytest.raises(ToolError) as missing:
        await api_at(url).send("GET", "/pets", security=READ)
    assert "P_TOKEN, or P_REFRESH, or P_ID and P_SECRET" in missing.value.message


ANSWERS: list[tuple[httpx2.Response | Exception, str]] = [
    (httpx2.ConnectError("x"), "there is no connection: it cannot be made."),
    (httpx2.ReadTimeout("x"), "it did not answer in time"),
    (httpx2.ReadError("x"), "gave no answer that can be read"),
    (httpx2.Response(200, text="<html>"), "its answer holds none"),
    (httpx2.Response(200, json={"access_token": "a b"}), "its answer holds none"),
    (httpx2.Response(200, json={"access_token": "a", "token_type": "mac"}), "none of type Bearer"),
    (httpx2.Response(302, headers={"Location": "https://evil.example"}), "it answered 302"),
    (httpx2.Response(503, text="busy"), "Retrying later may help"),
    (httpx2.Response(400, json={"error": ["x"], "error_description": {}}), "it answered 400"),
    (httpx2.Response(200, json={"error": "no_app", "status": "x"}), "it answered 200 (no_app)"),
    (httpx2.Response(200, content=b"[" * 100_000), "its answer holds none"),
]


@pytest.mark.parametrize(("answer", "said"), ANSWERS, ids=[said for _, said in ANSWERS])
async def test_an_endpoint_that_gives_no_token(
    answer: httpx2.Response | Exception, said: str
) -> None:
    seen = []

    def endpoint(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.url.host)
        if isinstance(answer, Exception):
            raise answer
        return answer

    scheme = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", "https://login.example/token")
    api = Api("P", security_schemes={"pets": scheme})
    shop = client(endpoint, api=api, settings=Settings(base_url="https://api.example"))
    with pytest.raises(ToolError, match="No access token came from login") as failed:
        await shop.send("GET", "/pets", security=READ)
    assert said in failed.value.message
    assert set(seen) == {"login.example"}


@pytest.mark.parametrize(("refresh", "host"), [("", "login.example"), ("r", "refresh.example")])
async def test_who_gives_no_token_in_time_is_named(refresh: str, host: str) -> None:
    async def endpoint(_: httpx2.Request) -> httpx2.Response:
        await anyio.sleep_forever()
        raise AssertionError

    shop = client(endpoint, settings=Settings(base_url="https://api.example", timeout=0.05))
    urls = "https://login.example/token", "https://refresh.example/token", ""
    grant = Grant(*urls, "id", "secret", refresh, ())
    with pytest.raises(ToolError, match=f"No access token came from {host}: it did not answer in"):
        await shop._backend.tokens.get(grant)


@pytest.mark.parametrize("lasts", [None, "60", "soon", -1, 1e400, [1], 10**400])
async def test_how_long_a_token_lasts(lasts: Any) -> None:
    asked = 0

    def endpoint(request: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        if request.url.host == "login.example":
            asked += 1
            body = {"access_token": "a", "token_type": "bearer", "expires_in": lasts}
            return httpx2.Response(200, content=json.dumps(body))
        return httpx2.Response(200, json={})

    scheme = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", "https://login.example/token")
    api = Api("P", security_schemes={"pets": scheme})
    shop = client(endpoint, api=api, settings=Settings(base_url="https://api.example"))
    for _ in range(2):
        await shop.send("GET", "/pets", security=READ)
    assert asked == (2 if lasts == -1 else 1)


def test_nothing_shows_a_secret() -> None:
    scheme = OAuth2("P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", "https://x/t", "https://x/t")
    environ = {"P_ID": "id", "P_SECRET": "sk-SECRET", "P_REFRESH": "rt-SECRET"}
    found = choose(Api("P", security_schemes={"pets": scheme}), READ, environ)
    assert "SECRET" not in repr(found)
    assert found.secrets == ("rt-SECRET", "sk-SECRET")
    assert found


def test_files_of_the_environment(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes("sk é\r\n".encode())
    (tmp_path / "large").write_bytes(b"x" * 70_000)
    environ = EnvironmentWithFiles(
        {
            "A_FILE": str(tmp_path / "key"),
            "B": "own",
            "B_FILE": str(tmp_path / "none"),
            "C": "",
            "C_FILE": str(tmp_path / "key"),
            "D": "",
            "E_FILE": str(tmp_path / "large"),
            "F_FILE": str(tmp_path),
            "G": "sk \udce9",
        }
    )
    assert [environ.get(name) for name in "ABCDX"] == ["sk é", "own", "sk é", "", None]
    for name, said in [("E", "E_FILE"), ("F", "F_FILE"), ("G", "G is not text in UTF-8")]:
        with pytest.raises(ToolError, match=f"{said}.* Nothing was sent"):
            environ.get(name)
    (tmp_path / "key").write_text("rotated", encoding="utf-8")
    assert environ.get("A") == "rotated"


async def test_having_a_token_counts_for_the_deadline(guarded: Guarded, url: str) -> None:
    guarded.delay = 3
    shop = api_at(url)
    shop._backend.settings.__dict__["timeout"] = 0.5
    began = time.monotonic()
    with pytest.raises(ApiError, match=r"within 0\.5 seconds"):
        await shop.send("GET", "/pets", security=READ)
    assert time.monotonic() - began < 3
