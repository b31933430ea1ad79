"""Clients that sign in by the server, and a person's browser."""

import base64
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from bench.calls import free_port
from mcpgen.runtime import AssertionSettings, SignInSettings
from mcpgen.runtime.values.settings import combined

from ...gated import pets
from ...serving import in_thread
from .openid import CLIENT, SECRET, OpenId

REDIRECT = "http://127.0.0.1:3333/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
SCOPES = (("Vets", "pets:read pets:write"), ("Guests", "pets:read"))


@contextmanager
def signing_server(
    shop: ModuleType, openid: OpenId, port: int = 0, **settings: Any
) -> Iterator[str]:
    """The server on loopback, whose callers sign in at the provider, and its endpoint's URL."""
    port = port or free_port()
    own = {
        "sign_in_provider": "oidc",
        "sign_in_issuer": openid.url,
        "sign_in_client_id": CLIENT,
        "sign_in_client_secret": SECRET,
        "sign_in_scopes": SCOPES,
        "http_resource": f"http://127.0.0.1:{port}/mcp",
    }
    given = {**own, **settings}
    kind: Any = combined([SignInSettings, AssertionSettings])
    chosen = kind(**given) if "sign_in_clients" in given else SignInSettings(**given)
    app = shop.create_app(chosen, transport=httpx2.MockTransport(pets))
    with in_thread(app, port):
        yield chosen.http_resource


class Storage:
    """What a client keeps."""

    def __init__(self) -> None:
        self.client: Any = None
        self.tokens: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


class Browser:
    """A person's browser, with its cookies; the person answers each question."""

    def __init__(self, answer: str = "allow", transport: Any = None) -> None:
        self.http = httpx2.Client(transport=transport)
        self.answer = answer
        self.pages: list[str] = []
        self.visited: list[str] = []

    def visit(self, url: str, until: str = REDIRECT) -> dict[str, str]:
        """Go where it leads; the query that it comes to the client with."""
        answer = self.get(url)
        while not answer.headers.get("location", "").startswith(until):
            location = answer.headers.get("location")
            if location is not None:
                answer = self.get(urljoin(str(answer.url), location))
            elif answer.status_code == 200:
                answer = self.reply(answer)
            else:
                raise AssertionError(f"{answer.status_code} {answer.text}")
        return dict(parse_qsl(urlsplit(answer.headers["location"]).query))

    def get(self, url: str) -> httpx2.Response:
        """One page."""
        self.visited.append(url)
        return self.http.get(url)

    def reply(self, page: httpx2.Response) -> httpx2.Response:
        """Answer the question of a page."""
        self.pages.append(page.text)
        action, own_id = form_of(page)
        origin = f"{page.url.scheme}://{page.url.netloc.decode()}"
        data = {"id": own_id, "answer": self.answer}
        url = urljoin(str(page.url), action)
        return self.http.post(url, data=data, headers={"Origin": origin})


def form_of(page: httpx2.Response) -> tuple[str, str]:
    """Where the form of a page leads, and the id in it."""
    action = re.search(r'action="([^"]+)"', page.text)
    own_id = re.search(r'name="id" value="([^"]+)"', page.text)
    assert action is not None, page.text
    assert own_id is not None
    return action[1], own_id[1]


def sdk_client(url: str, storage: Storage, browser: Browser) -> OAuthClientProvider:
    """The SDK's own OAuth client."""
    codes: list[AuthorizationCodeResult] = []

    async def browse(target: str) -> None:
        codes.append(AuthorizationCodeResult(**browser.visit(target)))

    async def code() -> AuthorizationCodeResult:
        return codes.pop()

    metadata = OAuthClientMetadata(client_name="Test <b>client", redirect_uris=[REDIRECT])
    return OAuthClientProvider(url, metadata, storage, browse, code)


@dataclass
class Hand:
    """A client by hand, which may do what the SDK's does not."""

    url: str
    """The endpoint of the server."""
    client_id: str = ""
    redirect: str = REDIRECT
    http: Any = httpx2
    """What sends its requests."""

    def register(self, *redirects: str, **more: Any) -> httpx2.Response:
        """Register; its id is used from now on."""
        body = {
            "client_name": "by hand",
            "redirect_uris": [*(redirects or [self.redirect])],
            **more,
        }
        answer: httpx2.Response = self.http.post(f"{self.url}/oauth/register", json=body)
        self.client_id = answer.json().get("client_id", "")
        return answer

    def address(self, **more: str | None) -> str:
        """The URL to sign in at; None takes a parameter out."""
        query = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "response_type": "code",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "state-of-the-client",
            "resource": self.url,
            **more,
        }
        kept = {name: value for name, value in query.items() if value is not None}
        return f"{self.url}/oauth/authorize?{urlencode(kept)}"

    def token(self, **form: str | None) -> httpx2.Response:
        """Ask the token endpoint."""
        given = {"client_id": self.client_id, "redirect_uri": self.redirect, **form}
        if "grant_type" not in form:
            given |= {"grant_type": "authorization_code", "code_verifier": VERIFIER} | form
        kept = {name: value for name, value in given.items() if value is not None}
        answer: httpx2.Response = self.http.post(f"{self.url}/oauth/token", data=kept)
        return answer

    def refresh(self, token: str, **more: str) -> httpx2.Response:
        """Ask for new tokens."""
        form: dict[str, str | None] = {"grant_type": "refresh_token", "redirect_uri": None}
        return self.token(**{**form, "refresh_token": token, **more})

    def sign_in(self, browser: Browser, **more: str | None) -> dict[str, Any]:
        """The tokens, for whom the browser signs in."""
        if not self.client_id:
            self.register()
        query = browser.visit(self.address(**more), self.redirect)
        answer = self.token(code=query["code"])
        assert answer.status_code == 200, answer.text
        tokens: dict[str, Any] = answer.json()
        return tokens
