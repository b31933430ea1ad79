"""OpenID Connect: the token endpoint is where the provider's metadata says, and nowhere unsafe."""

import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiError, OpenIdConnect, Settings, ToolError
from mcpgen.runtime.backend.client import ApiClient

from ...authorization import CLIENT, READ, SECRET
from ...support import client

METADATA = "/.well-known/openid-configuration"


@pytest.fixture(autouse=True)
def by_refresh_token(monkeypatch):
    """A refresh token is set, and the client that it was issued to."""
    monkeypatch.delenv("P_TOKEN", raising=False)
    monkeypatch.setenv("P_REFRESH", "first-refresh-token")
    monkeypatch.setenv("P_ID", CLIENT)
    monkeypatch.setenv("P_SECRET", SECRET)


def scheme(discovery_url: str) -> OpenIdConnect:
    return OpenIdConnect("P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", discovery_url)


def api_at(url: str) -> ApiClient:
    """A client of the guarded API."""
    api = Api("P", security_schemes={"pets": scheme(url + METADATA)})
    return client(api=api, settings=Settings(base_url=url, timeout=20, retries=0))


async def test_a_token_is_refreshed_where_the_metadata_says(guarded, url):
    shop = api_at(url)
    for _ in range(3):
        assert (await shop.send("GET", "/pets", security=READ)).status == 200
    assert [form["grant_type"] for form in guarded.forms] == [["refresh_token"]]
    assert guarded.discovered == 1


async def test_a_ready_token_asks_nobody(guarded, url, monkeypatch):
    monkeypatch.setenv("P_TOKEN", "ready")
    with pytest.raises(ApiError, match="401"):
        await api_at(url).send("GET", "/pets", security=READ)
    assert (guarded.forms, guarded.discovered) == ([], 0)


@table(
    "said, reason",
    ({"issuer": "https://other.example"}, "that of another issuer"),
    ({"issuer": None}, "that of another issuer"),
    ({"token_endpoint": "http://evil.example/token"}, "no token endpoint with https"),
    ({"token_endpoint": "https://user@evil.example/token"}, "no token endpoint with https"),
    ({"token_endpoint": ["https://evil.example"]}, "no token endpoint with https"),
    ({"error": "gone"}, r"it answered 200 \(gone\)"),
)
async def test_metadata_that_is_not_followed(guarded, url, said, reason):
    guarded.metadata = said
    shop = api_at(url)
    with pytest.raises(ToolError, match=reason):
        await shop.send("GET", "/pets", security=READ)
    assert (guarded.forms, guarded.calls) == ([], [])
    guarded.metadata = {}
    assert (await shop.send("GET", "/pets", security=READ)).status == 200


@table(
    "answer",
    httpx2.Response(302, headers={"Location": "https://evil.example"}),
    httpx2.Response(503),
    httpx2.Response(200, text="<html>"),
)
async def test_metadata_that_cannot_be_had(answer):
    seen = []

    def provider(request):
        seen.append(str(request.url))
        assert "authorization" not in request.headers
        return answer

    where = "https://login.example" + METADATA
    api = Api("P", security_schemes={"pets": scheme(where)})
    shop = client(provider, api=api, settings=Settings(base_url="https://api.example"))
    with pytest.raises(ToolError, match=r"No access token came from login\.example"):
        await shop.send("GET", "/pets", security=READ)
    assert seen == [where]
