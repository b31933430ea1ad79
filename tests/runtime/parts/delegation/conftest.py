"""A server whose API sees who signed in, the provider, and the API."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import httpx2
import pytest

from bench.calls import free_port
from mcpgen.runtime import DelegationSettings

from ... import sample
from ...serving import current, in_thread
from ..sign_in.openid import CLIENT, SECRET
from ..sign_in.signing import Browser, Hand
from .exchanging import Exchanging

API = """
from ._runtime import Api, ApiKey, Bearer, OAuth2, ServerUrl

API = Api(
    env_prefix="SHOP",
    servers=[ServerUrl("https://shop.example/v1")],
    security_schemes={
        "key": ApiKey("X-Key", location="header", env="SHOP_KEY"),
        "members": OAuth2("SHOP_TOKEN", client_id_env="SHOP_ID", client_secret_env="SHOP_SECRET"),
    },
    security=[{"key": []}, {"members": ["pets:read"]}],
)
"""
HOOKS = """
CALLERS = []


def authenticate(request, caller):
    CALLERS.append((caller.subject, caller.issuer, request.headers.get("authorization", "")))
    return False
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    """The `server` module of the sample package with the part, whose API takes two schemes."""
    folder, package = tmp_path_factory.mktemp("delegating"), "shop_that_delegates_mcp"
    home = sample.write(folder, package)
    (home / "api.py").write_text(API)
    (home / "hooks.py").write_text((home / "hooks.py").read_text() + HOOKS)
    server = home / "server.py"
    server.write_text(server.read_text().replace("http, tokens", "http, sign_in, delegation"))
    with sample.imported(folder, package) as found:
        yield found


@dataclass
class Pets:
    """The API: what it was asked with, and what it answers to that."""

    seen: list[httpx2.Request] = field(default_factory=list)
    answer: Callable[[str], httpx2.Response] = lambda _: httpx2.Response(200, json={"name": "Rex"})

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request, by its token."""
        self.seen.append(request)
        return self.answer(self.tokens[-1])

    @property
    def tokens(self) -> list[str]:
        """The bearer tokens that came."""
        headers = (each.headers.get("authorization", "") for each in self.seen)
        return [header.removeprefix("Bearer ") for header in headers]


@dataclass
class World:
    """The endpoint of a server, its provider, and its API."""

    url: str
    openid: Exchanging
    pets: Pets

    def sign_in(self, person: str) -> str:
        """The access token by which a client calls for a person."""
        self.openid.person = person
        return str(Hand(self.url).sign_in(Browser())["access_token"])

    def call(self, token: str, tool: str = "getPet") -> tuple[bool, str]:
        """Whether a call is an error, and its text."""
        message, headers = current(tool, {"petId": 7})
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx2.post(self.url, json=message, headers=headers)
        assert answer.status_code == 200, answer.text
        result = answer.json()["result"]
        return bool(result.get("isError")), result["content"][0]["text"]


@contextmanager
def served(shop: ModuleType, openid: Exchanging, **settings: Any) -> Iterator[World]:
    """The server on loopback."""
    port, pets = free_port(), Pets()
    own = {
        "sign_in_provider": "oidc",
        "sign_in_issuer": openid.url,
        "sign_in_client_id": CLIENT,
        "sign_in_client_secret": SECRET,
        "http_resource": f"http://127.0.0.1:{port}/mcp",
        "delegated_schemes": ("members",),
        "delegated_scopes": ("pets:read",),
    }
    chosen: Any = DelegationSettings(**{**own, **settings})
    app = shop.create_app(chosen, transport=httpx2.MockTransport(pets))
    with in_thread(app, port):
        yield World(f"http://127.0.0.1:{port}/mcp", openid, pets)


@pytest.fixture
def openid():
    """The provider on loopback."""
    provider = Exchanging()
    with in_thread(provider.app) as provider.url:
        yield provider


@pytest.fixture(autouse=True)
def own_credentials(monkeypatch):
    """The server has credentials of its own, which are for stdio."""
    monkeypatch.setenv("SHOP_KEY", "the-server's-key")
    monkeypatch.setenv("SHOP_TOKEN", "the-server's-token")
