"""OAuth 2.0 against a real authorization server: client credentials, refresh, revocation."""

import asyncio
from types import ModuleType
from typing import Any

import pytest

from mcpgen.runtime import Api, ApiError, OAuth2, Settings, ToolError
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.credentials.auth import choose
from mcpgen.runtime.values.environment import EnvironmentWithFiles

from ...authorization import PASSWORD, READ, SECRET, USER, WRITE
from ...support import client

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("by_client")]


def api_at(url: str, hooks: ModuleType | None = None, **settings: Any) -> ApiClient:
    """A client of the guarded API."""
    scheme = OAuth2(
        env="P_TOKEN",
        refresh_token_env="P_REFRESH",
        client_id_env="P_ID",
        client_secret_env="P_SECRET",
        username_env="P_USER",
        password_env="P_PASSWORD",
        token_url=f"{url}/token",
        login_url=f"{url}/token",
        refresh_url=f"{url}/token",
    )
    api = Api("P", security_schemes={"pets": scheme})
    known = Settings(base_url=url, timeout=20, retries=0, **settings)
    return client(api=api, settings=known, hooks=hooks)


async def test_a_token_is_had_once_and_used_until_it_ends(guarded, url):
    shop = api_at(url)
    for _ in range(3):
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
    assert guarded.forms == [{"grant_type": ["client_credentials"], "scope": ["pets:read"]}]
    assert len({header for _, header in guarded.calls}) == 1


async def test_an_expired_token_is_not_sent(guarded, url):
    guarded.lifetime = 1
    shop = api_at(url)
    await shop.send("GET", "/pets", security=READ)
    await asyncio.sleep(1)
    await shop.send("GET", "/pets", security=READ)
    assert len(guarded.forms) == 2
    assert [header.partition(" ")[0] for _, header in guarded.calls] == ["Bearer"] * 2


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_revoked_token_is_renewed_once(guarded, url, method):
    shop = api_at(url)
    security = READ if method == "GET" else WRITE
    await shop.send(method, "/pets", security=security)
    guarded.revoke_all()
    assert (await shop.send(method, "/pets", security=security)).status == 200
    assert (len(guarded.forms), len(guarded.calls)) == (2, 3)


async def test_a_revoked_token_is_renewed_beside_what_a_hook_adds(guarded, url):
    def authenticate(request):
        request.headers["X-Signature"] = "a signature of the request"

    hooks = ModuleType("hooks")
    hooks.authenticate = authenticate
    shop = api_at(url, hooks)
    await shop.send("GET", "/pets", security=READ)
    guarded.revoke_all()
    assert (await shop.send("GET", "/pets", security=READ)).status == 200
    assert (len(guarded.forms), len(guarded.calls)) == (2, 3)


async def test_a_user_signs_in_and_again_where_refreshing_does_not_help(guarded, url, monkeypatch):
    monkeypatch.setenv("P_USER", USER)
    monkeypatch.setenv("P_PASSWORD", PASSWORD)
    shop = api_at(url)
    for _ in range(2):
        await shop.send("GET", "/pets", security=READ)
    guarded.revoke_all()
    await shop.send("GET", "/pets", security=READ)
    guarded.revoke_all()
    guarded.validator.refresh_tokens.clear()
    await shop.send("GET", "/pets", security=READ)
    kinds = [form["grant_type"] for form in guarded.forms]
    assert kinds == [["password"], ["refresh_token"], ["refresh_token"], ["password"]]
    login = {"username": [USER], "password": [PASSWORD], "scope": ["pets:read"]}
    assert guarded.forms[0].items() >= login.items()


async def test_one_that_is_refused_again_is_told(guarded, url):
    guarded.lifetime = -1
    shop = api_at(url)
    with pytest.raises(ApiError, match="401") as refused:
        await shop.send("GET", "/pets", security=READ)
    assert (len(guarded.forms), len(guarded.calls)) == (2, 2)
    assert "who are you?" in refused.value.message


async def test_many_calls_ask_for_one_token(guarded, url):
    guarded.delay = 0.1
    shop = api_at(url)
    for expected in (1, 2):
        calls = [shop.send("GET", "/pets", security=READ) for _ in range(30)]
        assert {answer.status for answer in await asyncio.gather(*calls)} == {200}
        assert len(guarded.forms) == expected
        guarded.revoke_all()
    assert guarded.most_at_once == 1


async def test_many_calls_fail_by_one_answer(guarded, url, monkeypatch):
    monkeypatch.setenv("P_SECRET", "wrong-secret")
    guarded.delay = 0.1
    shop = api_at(url)
    calls = [shop.send("GET", "/pets", security=READ) for _ in range(30)]
    failures = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(failure) for failure in failures} == {ToolError}
    assert len(guarded.forms) == 2  # once by each way to authenticate
    assert guarded.calls == []
    text = str(failures[0])
    assert "401 (invalid_client)" in text
    assert "wrong-secret" not in text
    monkeypatch.setenv("P_SECRET", SECRET)
    assert (await shop.send("GET", "/pets", security=READ)).status == 200


async def test_a_caller_that_gives_up_does_not_take_the_others_along(guarded, url):
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
    guarded, url, monkeypatch
):
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


async def test_one_refresh_token_is_for_every_scope(guarded, url, monkeypatch):
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    shop = api_at(url)
    for method, security in (("GET", READ), ("POST", WRITE), ("GET", READ)):
        assert (await shop.send(method, "/pets", security=security)).status == 200
    assert len(guarded.forms) == 1


async def test_scopes_have_their_own_tokens(guarded, url):
    shop = api_at(url)
    await shop.send("GET", "/pets", security=READ)
    await shop.send("POST", "/pets", security=WRITE)
    await shop.send("GET", "/pets", security=READ)
    assert [form["scope"] for form in guarded.forms] == [["pets:read"], ["pets:write"]]


async def test_a_scope_that_the_api_finds_lacking(guarded, url):
    with pytest.raises(ApiError, match="403") as refused:
        await api_at(url).send("POST", "/pets", security=READ)
    assert "pets:write is needed, [credential] lacks it" in refused.value.message
    assert len(guarded.forms) == 1


async def test_a_scope_that_the_authorization_server_refuses(guarded, url):
    with pytest.raises(ToolError, match=r"400 \(invalid_scope\)"):
        await api_at(url).send("GET", "/pets", security=[{"pets": ["admin"]}])
    assert guarded.calls == []


@pytest.mark.parametrize("basic", [True, False])
async def test_both_ways_to_authenticate(guarded, url, basic):
    guarded.validator.basic_allowed, guarded.validator.body_allowed = basic, not basic
    guarded.lifetime = -1
    shop = api_at(url)
    with pytest.raises(ApiError):
        await shop.send("GET", "/pets", security=READ)
    ways = ["client_secret" in form for form in guarded.forms]
    assert ways == ([False, False] if basic else [False, True, True])


async def test_refresh_tokens_are_used_and_replaced(guarded, url, monkeypatch):
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    shop = api_at(url)
    for _ in range(3):
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
        guarded.revoke_all()
    used = [form["refresh_token"][0] for form in guarded.forms]
    assert used[0] == "first-refresh-token"
    assert len(set(used)) == 3
    assert all("scope" not in form for form in guarded.forms)


async def test_a_refresh_token_that_is_worth_nothing(url, monkeypatch):
    monkeypatch.setenv("P_REFRESH", "unknown-refresh-token")
    with pytest.raises(ToolError, match="invalid_grant") as refused:
        await api_at(url).send("GET", "/pets", security=READ)
    assert "unknown-refresh-token" not in refused.value.message


async def test_a_ready_token_goes_first(guarded, url, monkeypatch):
    monkeypatch.setenv("P_TOKEN", "ready")
    with pytest.raises(ApiError, match="401"):
        await api_at(url).send("GET", "/pets", security=READ)
    assert guarded.forms == []
    assert guarded.calls == [("GET", "Bearer ready")]


async def test_a_secret_in_a_file(url, monkeypatch, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n", encoding="utf-8")
    monkeypatch.delenv("P_SECRET")
    monkeypatch.setenv("P_SECRET_FILE", str(secret))
    shop = api_at(url)
    assert (await shop.send("GET", "/pets", security=READ)).status == 200
    secret.unlink()
    with pytest.raises(ToolError, match=r"cannot read the file .* P_SECRET_FILE"):
        await shop.send("GET", "/pets", security=READ)


async def test_what_is_missing_is_named(url, monkeypatch):
    monkeypatch.delenv("P_SECRET")
    with pytest.raises(ToolError) as missing:
        await api_at(url).send("GET", "/pets", security=READ)
    assert (
        "P_TOKEN, or P_REFRESH, or P_USER and P_PASSWORD, or P_ID and P_SECRET"
        in missing.value.message
    )


def test_tokens_and_what_of_them_is_shown(tmp_path):
    scheme = OAuth2("P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", "https://x/t", "https://x/t")
    environ = {"P_ID": "id", "P_SECRET": "sk-SECRET", "P_REFRESH": "rt-SECRET"}
    found = choose(Api("P", security_schemes={"pets": scheme}), READ, environ)
    assert "SECRET" not in repr(found)
    assert found.secrets == ("rt-SECRET", "sk-SECRET")
    assert found
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


async def test_having_a_token_counts_for_the_deadline(guarded, url):
    guarded.delay = 2
    shop = api_at(url)
    shop._backend.settings.__dict__["timeout"] = 0.5
    with pytest.raises(ApiError, match=r"within 0\.5 seconds"):
        await shop.send("GET", "/pets", security=READ)
