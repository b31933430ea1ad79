"""Servers that nobody here wrote: people sign in at oidc-provider, ts-oauth2-server exchanges.

Of the providers of `tests/conformance/package.json` and of Python's, ts-oauth2-server alone knows
RFC 8693. `MCPGEN_NODE_MODULES` names the folder with both; without them nothing is run.
"""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import jwt
import pytest
from runtime.parts.sign_in.signing import Browser, Hand
from runtime.serving import in_thread

from bench.calls import free_port

from .servers import Server
from .test_delegation import call
from .test_delegation import library as library
from .test_sign_in_with_others import HERE, MODULES, NODE, provider_command
from .upstream import Answer

SCRIPTS = HERE.parent / "typescript"


@contextmanager
def running(command: list[str]) -> Iterator[str]:
    """A process, by the URL that it prints."""
    quiet: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **quiet) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture(scope="module")
def providers(tmp_path_factory):
    """The port of the server, the provider at which people sign in, and the one that exchanges."""
    if not NODE or not (MODULES / "@jmondi" / "oauth2-server").is_dir():
        pytest.skip("MCPGEN_NODE_MODULES names no ts-oauth2-server")
    port, folder = free_port(), tmp_path_factory.mktemp("providers")
    callback = f"http://127.0.0.1:{port}/mcp/oauth/callback"
    with ExitStack() as stack:
        issuer = stack.enter_context(running(provider_command("oidc-provider", callback, folder)))
        script = [NODE, str(SCRIPTS / "exchange_server.mjs"), str(MODULES), f"{issuer}/me"]
        yield port, issuer, stack.enter_context(running(script))


@contextmanager
def served(
    library: Server,
    providers: tuple[int, str, str],
    patch: pytest.MonkeyPatch,
    path: str = "/token",
    **more: str,
) -> Iterator[str]:
    """The server's endpoint, whose second API has its tokens exchanged at a path."""
    port, issuer, exchanging = providers
    url = f"http://127.0.0.1:{port}/mcp"
    variables = {
        "LIBRARY_SIGN_IN_ISSUER": issuer,
        "LIBRARY_SIGN_IN_CLIENT_ID": "the-server",
        "LIBRARY_SIGN_IN_CLIENT_SECRET": "s3cret/of it",
        "LIBRARY_HTTP_RESOURCE": url,
        "LIBRARY_BASE_URL": library.upstream.url,
        "LIBRARY_DELEGATED_SCOPES": "groups",
        "PRESS_BASE_URL": f"{library.upstream.url}/press",
        "PRESS_EXCHANGE_TOKEN_URL": f"{exchanging}{path}",
        **more,
    }
    for name, value in variables.items():
        patch.setenv(name, value)
    library.upstream.answer, library.upstream.seen = Answer.of({}), []
    with in_thread(library.module("server").create_app(), port):
        yield url


def bearers(library: Server) -> list[str]:
    """The tokens that the APIs got."""
    headers = (dict(each.headers)["Authorization"] for each in library.upstream.seen)
    return [header.removeprefix("Bearer ") for header in headers]


def test_an_exchange(
    library: Server, providers: tuple[int, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(library, providers, monkeypatch) as url:
        token = Hand(url).sign_in(Browser())["access_token"]
        for tool in ("listLibrary", "listPress", "addPress", "listPress"):
            assert not call(url, token, tool).get("isError"), tool
    own, read, write, again = bearers(library)
    claims = [jwt.decode(each, options={"verify_signature": False}) for each in (read, write)]
    assert [each["sub"] for each in claims] == ["ann", "ann"]
    assert [each["scope"] for each in claims] == ["papers:read", "papers:write"]
    assert read == again
    assert own not in (read, write)


@pytest.mark.parametrize(
    ("path", "scopes", "error"),
    [
        ("/token", "books:read", "invalid_scope"),
        ("/others", "", "invalid_client"),
        ("/closed", "", "invalid_client"),
        ("/without", "", "unsupported_grant_type"),
        ("/elsewhere", "", "invalid_request"),
    ],
)
def test_a_refusal(
    library: Server,
    providers: tuple[int, str, str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    scopes: str,
    error: str,
) -> None:
    with served(library, providers, monkeypatch, path, PRESS_DELEGATED_SCOPES=scopes) as url:
        token = Hand(url).sign_in(Browser())["access_token"]
        result = call(url, token, "listPress")
    text = result["content"][0]["text"]
    assert result["isError"]
    assert re.search(rf"answered 40[01] \({error}", text), text
    assert "Nothing was sent to the API" in text
    assert "whoever runs this server" in text
    assert not library.upstream.seen
