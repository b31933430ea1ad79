"""Credentials: which are chosen, how they travel, and where they never appear."""

from base64 import b64encode
from contextlib import nullcontext
from typing import Any

import httpx2
import pytest
from tables import table

from mcpgen.runtime import (
    Api,
    ApiError,
    ApiKey,
    Basic,
    Bearer,
    HttpAuth,
    MutualTls,
    OAuth2,
    OpenIdConnect,
    ServerUrl,
    Settings,
    ToolError,
    Variable,
)
from mcpgen.runtime.app import preflight
from mcpgen.runtime.credentials.api import Requirement
from mcpgen.runtime.credentials.auth import Credentials, choose
from mcpgen.runtime.credentials.schemes import Scheme
from mcpgen.runtime.parts.accounts.oauth import Grant
from mcpgen.runtime.values.settings import ConfigurationError

from ..support import HOME, client

SCHEMES: dict[str, Scheme] = {
    "head": ApiKey("X-Key", location="header", env="S_HEAD"),
    "query": ApiKey("api key", location="query", env="S_QUERY"),
    "cookie": ApiKey("sid", location="cookie", env="S_COOKIE"),
    "basic": Basic(username_env="S_USER", password_env="S_PASSWORD"),
    "bearer": Bearer(env="S_BEARER"),
    "hoba": HttpAuth("HOBA", env="S_HOBA"),
    "oauth": OAuth2(env="S_OAUTH"),
    "oidc": OpenIdConnect(env="S_OIDC"),
    "tls": MutualTls(cert_env="S_CERT", key_env="S_KEY"),
}
SENTINELS = {
    "S_HEAD": "sentinel-head",
    "S_QUERY": "sentinel-query&=é",
    "S_COOKIE": "sentinel-cookie;",
    "S_USER": "user",
    "S_PASSWORD": "sentinel-password:é",
    "S_BEARER": "sentinel-bearer",
    "S_HOBA": "sentinel-hoba",
    "S_OAUTH": "sentinel-oauth",
    "S_OIDC": "sentinel-oidc",
    "S_CERT": "cert.pem",
    "S_KEY": "key.pem",
}
API = Api("SHOP", [ServerUrl(HOME)], SCHEMES, [{"head": []}])
CARRIED: dict[str, tuple[str, str]] = {
    "head": ("x-key", "sentinel-head"),
    "query": ("?", "api%20key=sentinel-query%26%3D%C3%A9"),
    "cookie": ("cookie", "sid=sentinel-cookie%3B"),
    "basic": ("authorization", "Basic " + b64encode("user:sentinel-password:é".encode()).decode()),
    "bearer": ("authorization", "Bearer sentinel-bearer"),
    "hoba": ("authorization", "HOBA sentinel-hoba"),
    "oauth": ("authorization", "Bearer sentinel-oauth"),
    "oidc": ("authorization", "Bearer sentinel-oidc"),
}


@pytest.fixture
def all_set(monkeypatch):
    """Every credential variable holds a sentinel."""
    for name, value in SENTINELS.items():
        monkeypatch.setenv(name, value)


async def sent(security: list[Requirement] | None, **call: Any) -> tuple[str, httpx2.Headers]:
    """The target and headers of the one request that a call makes."""
    requests: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200, json={})

    await client(answer, api=API).send("GET", "/x", security=security, **call)
    assert len(requests) == 1
    return requests[0].extensions["target"].decode(), requests[0].headers


@pytest.mark.parametrize("key", CARRIED)
async def test_the_end_of_a_line_is_no_part_of_a_credential(key, monkeypatch):
    """Secrets are often made by `echo`; nor may one pass unmasked for it."""
    for name, value in SENTINELS.items():
        monkeypatch.setenv(name, f"{value}\r\n")
    target, headers = await sent([{key: []}])
    where, value = CARRIED[key]
    assert (target.partition("?")[2] if where == "?" else headers[where]) == value
    echoed = SENTINELS[f"S_{'PASSWORD' if key == 'basic' else key.upper()}"]

    def answer(_):
        return httpx2.Response(401, json={"error": f"<{echoed}>"})

    with pytest.raises(ApiError) as failed:
        await client(answer, api=API).send("GET", "/x", security=[{key: []}])
    assert "<[credential]>" in failed.value.message
    assert "will not help: the credentials of this server do not allow it" in failed.value.message


@pytest.mark.parametrize("key", CARRIED)
@pytest.mark.parametrize("blank", ["\t \n", "file"])
async def test_blanks_alone_are_no_credential(key, blank, monkeypatch, tmp_path):
    for name in SENTINELS:
        monkeypatch.setenv(name, "" if blank == "file" else blank)
        if blank == "file":
            (tmp_path / "secret").write_text(" \n")
            monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "secret"))
    with pytest.raises(ToolError, match="A credential is missing"):
        await sent([{key: []}])


@pytest.mark.usefixtures("all_set")
async def test_arguments_and_credentials_share_query_and_cookie():
    target, headers = await sent(
        [{"query": [], "cookie": []}], query={"q": 1}, cookie={"theme": "dark"}
    )
    assert target == "/v1/x?q=1&api%20key=sentinel-query%26%3D%C3%A9"
    assert headers["cookie"] == "theme=dark; sid=sentinel-cookie%3B"


@table(
    "security, expected",
    ([{"head": []}], "S_HEAD"),
    ([{"head": [], "bearer": []}], "S_HEAD and S_BEARER"),
    ([{"head": []}, {"basic": []}], "S_HEAD, or S_USER and S_PASSWORD"),
    ([{"tls": []}], "Set S_CERT in"),
    ([{"unknown": []}], "does not describe"),
)
def test_a_missing_credential_names_its_variables(security, expected):
    with pytest.raises(ToolError, match=expected):
        choose(API, security, {"S_HEAD": "", "S_USER": ""})


@table("host, url", ("", "https://a.test/t"), ("b.test", "https://b.test/t"), ("b.test:0", ""))
def test_a_url_for_tokens_has_the_variables_that_are_set_and_is_secure(host, url):
    place = ServerUrl("https://{host}/t", {"host": Variable("a.test", env="P_HOST")})
    schemes = {"o": OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", place)}
    environ = {"P_ID": "me", "P_SECRET": "sentinel", "P_HOST": host}
    with nullcontext() if url else pytest.raises(ToolError, match="must use https"):
        found = choose(Api("P", security_schemes=schemes), [{"o": []}], environ)
        assert isinstance(found.signer, Grant)
        assert found.signer.token_url == url


@pytest.mark.parametrize("placeholder", ["${user_config.key}", "${KEY}", " ${env:K:-x}\n"])
@pytest.mark.parametrize("where", ["", "_FILE", "in a file"])
@pytest.mark.parametrize("key", [*CARRIED, "tls"])
async def test_a_placeholder_is_no_credential(key, where, placeholder, monkeypatch, tmp_path):
    """Hosts leave it where the user has set nothing; another credential then does."""
    (tmp_path / "secret").write_text(placeholder)
    for name in SENTINELS:
        monkeypatch.setenv(name, "" if where else placeholder)
        if where:
            value = placeholder if where == "_FILE" else str(tmp_path / "secret")
            monkeypatch.setenv(f"{name}_FILE", value)
    with pytest.raises(ToolError, match="A credential is missing"):
        await sent([{key: []}])
    other = "hoba" if key == "bearer" else "bearer"
    monkeypatch.setenv(f"S_{other.upper()}", "real")
    target, headers = await sent([{key: []}, {other: []}])
    assert headers["authorization"].endswith(" real")
    assert "%24" not in target
    assert "$" not in f"{target} {headers.raw}"


@pytest.mark.parametrize("key", CARRIED)
async def test_blanks_and_a_mark_around_a_key_in_a_file_are_cut(key, monkeypatch, tmp_path):
    for name, value in SENTINELS.items():
        blank = "" if key == "basic" else "  "  # which a password may have
        (tmp_path / name).write_bytes(f"\ufeff{blank}{value}{blank}\r\n".encode())
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
    target, headers = await sent([{key: []}])
    where, value = CARRIED[key]
    assert (target.partition("?")[2] if where == "?" else headers[where]) == value


@pytest.mark.parametrize("key", ["bearer", "oauth", "oidc"])
@table(
    "value, carried",
    ("abc", "Bearer abc"),
    ("bearer  abc", "Bearer abc"),
    ("Token abc", "Token abc"),
    ("Basic YTpi", "Basic YTpi"),
    ("Bearer Token abc", "Token abc"),
    ("Authorization: Bearer abc", "Bearer Authorization: Bearer abc"),
)
def test_a_bearer_value_may_bring_the_word_of_another_scheme(key, value, carried):
    chosen = choose(API, [{key: []}], {f"S_{key.upper()}": value})
    assert chosen.headers == (("Authorization", carried),)
    assert carried.partition(" ")[2] in chosen.secrets  # so that an echo is masked


@pytest.mark.parametrize("value", ["a\nb", "a\x00b", "é"])
def test_a_credential_that_no_header_carries_is_refused_by_name(value):
    with pytest.raises(ToolError, match="S_HEAD") as refused:
        choose(API, [{"head": []}], {"S_HEAD": value})
    assert value not in refused.value.message


def test_a_client_certificate_is_for_the_operations_that_ask():
    chosen = choose(API, [{"tls": []}], SENTINELS)
    assert chosen.certificate == ("cert.pem", "key.pem")
    assert choose(API, [{"head": []}], SENTINELS).certificate is None


async def test_a_certificate_that_cannot_be_read_is_an_error(monkeypatch):
    monkeypatch.setenv("S_CERT", "/nowhere/cert.pem")
    api = client(api=Api("SHOP", [ServerUrl("https://127.0.0.1:9")], SCHEMES, [{"tls": []}]))
    with pytest.raises(ToolError, match="client certificate"):
        await api.send("GET", "/x")


async def test_the_only_servers_there_are_may_be_an_operations(monkeypatch):
    monkeypatch.setenv("S_HEAD", "k")
    seen = []

    def answer(request):
        seen.append(request.headers)
        return httpx2.Response(200, json={})

    api = Api("SHOP", [], SCHEMES, [{"head": []}])
    await client(answer, api=api).send("GET", "/x", servers=[ServerUrl("https://a.example")])
    assert seen[0]["x-key"] == "k"


async def test_a_mock_asks_for_no_credential():
    api = client(lambda _: httpx2.Response(200, json=1), api=API, mock=True)
    assert (await api.send("GET", "/x")).data == 1


@table(
    "credential, sent",
    ("s%3Aab.c%2Bd", "s%3Aab.c%2Bd"),
    ("100%", "100%25"),
    ('a "b"; c', "a%20%22b%22%3B%20c"),
)
def test_a_cookie_that_is_set_as_it_travels_is_not_encoded_again(credential, sent):
    chosen = choose(API, [{"cookie": []}], {"S_COOKIE": credential})
    assert chosen.cookies == (("sid", sent),)


def test_schemes_and_tokens_are_not_doubled():
    chosen = choose(API, [{"hoba": []}], {"S_HOBA": 'result="a b", x=1'})
    assert chosen.headers == (("Authorization", 'HOBA result="a b", x=1'),)
    chosen = choose(API, [{"bearer": []}], {"S_BEARER": " Bearer abc "})
    assert chosen.headers == (("Authorization", "Bearer abc"),)
    chosen = choose(API, [{"head": [], "query": [], "cookie": []}], SENTINELS)
    assert isinstance(chosen, Credentials)
    assert "sentinel" not in repr(chosen)
    environ = {"S_COOKIE": "schl\u00fcssel \u20ac"}
    preflight.check(API, Settings(), environ)
    assert choose(API, [{"cookie": []}], environ).cookies == (
        ("sid", "schl%C3%BCssel%20%E2%82%AC"),
    )
    for text in ("a\nb", "a\0", "\udcff"):
        with pytest.raises(ConfigurationError, match="S_COOKIE holds characters"):
            preflight.check(API, Settings(), {"S_COOKIE": text})
        with pytest.raises(ToolError, match="S_COOKIE holds characters"):
            choose(API, [{"cookie": []}], {"S_COOKIE": text})
