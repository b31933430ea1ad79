"""The page on providers: a generated server in a process of its own, and people who sign in."""

import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from runtime.parts.sign_in.openid import CLIENT, SECRET, OpenId
from runtime.parts.sign_in.signing import Browser, Hand, Storage, sdk_client
from runtime.serving import in_thread, process

from bench.calls import free_port

from .servers import SPECS, Server, generate
from .test_callers import command
from .upstream import Answer, Upstream

PAGE = (Path(__file__).parents[2] / "docs" / "providers.md").read_text("utf-8")
RESOURCE = "https://mcp.example.com/mcp"


@pytest.fixture(scope="module")
def bookshop(upstream, tmp_path_factory):
    """The server of the page's settings."""
    folder = tmp_path_factory.mktemp("signing-bookshop")
    settings = re.search(r"```toml\n# mcpgen.toml\n(.*?)```", PAGE, re.DOTALL)
    assert settings is not None
    (folder / "mcpgen.toml").write_text(settings[1])
    return generate(SPECS / "bookshop.yaml", folder, upstream, "--force")


@pytest.fixture
def openid():
    provider = OpenId(groups={"ann": ["Shop Admins"], "bob": ["Shop"]})
    with in_thread(provider.app) as provider.url:
        yield provider


def test_what_the_page_shows(bookshop: Server, tmp_path: Path) -> None:
    secret = tmp_path / "okta"
    secret.write_text("a secret\n")
    commands = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    shown = dict(re.findall(r"^export (\w+)=(.*)$", "\n".join(commands), re.MULTILINE))
    shown["BOOKSHOP_SIGN_IN_CLIENT_SECRET_FILE"] = str(secret)
    ids = {name: shown.pop(name) for name in [*shown] if "SIGN_IN" in name}
    code, said, _ = command(bookshop, "--check", **shown)
    assert code == 2
    code, said, told = command(bookshop, "--check", BOOKSHOP_PUBLIC_HOSTS="mcp.example.com")
    assert (code, said) == (2, "")
    assert "callers must sign in, but nothing says how" in told
    assert "BOOKSHOP_SIGN_IN_CLIENT_ID" in told
    code, said, told = command(bookshop, "--check", **shown, **ids)
    assert (code, told) == (0, "")
    assert f"redirect URI {RESOURCE}/oauth/callback" in said
    assert "Applications > Create App Integration > OIDC > Web Application" in said
    assert "the settings can be used" in said
    code, said, told = command(bookshop, "--check")
    assert code == 0
    assert "people cannot sign in over HTTP yet: BOOKSHOP_SIGN_IN_CLIENT_ID is not set" in said
    code, _, told = command(bookshop, "--http", "127.0.0.1:0")
    assert code == 2
    assert "BOOKSHOP_SIGN_IN_CLIENT_ID" in told


def settings(openid: OpenId, upstream: Upstream, port: int) -> dict[str, str]:
    """The variables of a server on loopback."""
    return {
        "BOOKSHOP_SIGN_IN_ISSUER": openid.url,
        "BOOKSHOP_SIGN_IN_CLIENT_ID": CLIENT,
        "BOOKSHOP_SIGN_IN_CLIENT_SECRET": SECRET,
        "BOOKSHOP_HTTP_RESOURCE": f"http://127.0.0.1:{port}/mcp",
        "BOOKSHOP_BASE_URL": upstream.url,
        "BOOKSHOP_SHOP_KEY": "key-of-the-server",
    }


async def test_a_client_signs_in(bookshop: Server, openid: OpenId) -> None:
    bookshop.upstream.answer, bookshop.upstream.seen = Answer.of({"books": []}), []
    port, storage = free_port(), Storage()
    environ = settings(openid, bookshop.upstream, port)
    address = f"127.0.0.1:{port}"
    with process(bookshop.folder, bookshop.package, "--http", address, **environ) as run:
        async with (
            httpx2.AsyncClient(auth=sdk_client(run.url, storage, Browser())) as http,
            Client(streamable_http_client(run.url, http_client=http)) as client,
        ):
            result: Any = await client.call_tool("listBooks", {})
        openid.person = "bob"
        guest = Hand(run.url).sign_in(Browser())
    assert not result.is_error
    assert storage.tokens.scope == "books:read books:write"
    assert guest["scope"] == "books:read"
    assert not any("Bearer" in str(seen.headers) for seen in bookshop.upstream.seen)


def test_servers_without_it_have_not_one_line_of_it(bookshop: Server) -> None:
    """But for the table of the seams, by which a server says what it was generated without."""
    other = Path(__file__).parents[2] / "generated_examples" / "bookshop"
    for path in other.rglob("*.py"):
        if path.name != "seams.py":
            assert not re.search("sign_in_|signs_in|parts.sign_in", path.read_text("utf-8")), path
    own = bookshop.folder / bookshop.package
    assert (own / "_runtime/parts/sign_in/routes.py").exists()
    for path in own.rglob("*.py"):
        if path.name != "seams.py":
            assert not re.search("identity_assertion|id-jag", path.read_text("utf-8")), path
