"""The page on enterprise-managed sign-in: replicas of a generated server, and a company."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from runtime.parts.identity_assertions import company
from runtime.parts.identity_assertions.company import AGENT, ask, issued, sdk_client
from runtime.parts.sign_in.openid import OpenId
from runtime.parts.sign_in.signing import Storage

from .servers import SPECS, Server, generate
from .test_callers import command
from .test_sign_in import openid as openid
from .test_sign_in_replicas import Replicas, statuses, three_of

PAGE = (Path(__file__).parents[2] / "docs" / "enterprise.md").read_text("utf-8")


@pytest.fixture
def bookshop(upstream, tmp_path):
    """The server of the page's settings."""
    settings = re.search(r"```toml\n# mcpgen.toml\n(.*?)```", PAGE, re.DOTALL)
    assert settings is not None
    (tmp_path / "mcpgen.toml").write_text(settings[1])
    return generate(SPECS / "bookshop.yaml", tmp_path, upstream, "--force")


def lines_of(folder: Path, secret: str) -> str:
    """What the page's commands make `BOOKSHOP_SIGN_IN_CLIENTS` of a secret."""
    (folder / "claude.secret").write_text(f"{secret}\n")
    shown = re.search(r"^export BOOKSHOP_SIGN_IN_CLIENTS=(.*)$", PAGE, re.MULTILINE)
    assert shown is not None
    script = f"printf %s {shown[1]}"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode().replace("claude", AGENT)


def test_what_the_page_shows(bookshop: Server, tmp_path: Path) -> None:
    environ = {
        "BOOKSHOP_HTTP_RESOURCE": "https://mcp.example.com/mcp",
        "BOOKSHOP_PUBLIC_HOSTS": "mcp.example.com",
        "BOOKSHOP_SIGN_IN_CLIENT_ID": "0oa1x2y3",
        "BOOKSHOP_SIGN_IN_CLIENT_SECRET": "a secret",
    }
    code, said, told = command(bookshop, "--check", **environ)
    assert (code, told) == (0, "")
    assert "no client can bring identity assertions over HTTP yet" in said
    lines = lines_of(tmp_path, "of the client")
    code, said, told = command(bookshop, "--check", **environ, BOOKSHOP_SIGN_IN_CLIENTS=lines)
    assert (code, told) == (0, "")
    url = environ["BOOKSHOP_HTTP_RESOURCE"]
    assert f"for identity assertions, at the provider: issuer URL {url}, resource {url}" in said
    (tmp_path / "clients").write_text(f"{lines}\nother: {'0' * 64}\n")
    file = str(tmp_path / "clients")
    code, said, _ = command(bookshop, "--check", **environ, BOOKSHOP_SIGN_IN_CLIENTS_FILE=file)
    assert code == 0
    assert "for identity assertions, at the provider" in said
    code, _, told = command(bookshop, "--check", BOOKSHOP_SIGN_IN_CLIENTS="claude: secret")
    assert code == 2
    assert "BOOKSHOP_SIGN_IN_CLIENTS must be lines `client-id: SHA-256 of its secret`" in told


@pytest.fixture
def replicas(upstream, openid, tmp_path):
    """Three processes of the page's server, and a store."""
    switches = "store = true"
    lines = lines_of(tmp_path, company.AGENT_SECRET)
    more = {"BOOKSHOP_SIGN_IN_CLIENTS": lines}
    with three_of(PAGE, switches, upstream, openid, tmp_path, **more) as running:
        yield running


async def test_the_sdk_s_client_at_three_processes(replicas: Replicas, openid: OpenId) -> None:
    url, turn, *_ = replicas
    storage = Storage()
    async with (
        httpx2.AsyncClient(auth=sdk_client(openid, url, storage=storage)) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        result: Any = await client.call_tool("listBooks", {})
    assert not result.is_error
    assert storage.tokens.scope == "books:read books:write"
    assert statuses(turn, url, storage.tokens.access_token) == {200}


def test_an_assertion_is_good_once_in_all_of_them(
    replicas: Replicas, openid: OpenId, tmp_path: Path
) -> None:
    url, turn, redis, ports = replicas

    def at(port: int, assertion: str) -> httpx2.Response:
        return ask(f"http://127.0.0.1:{port}/mcp", assertion)

    assertion = issued(openid, url)
    with ThreadPoolExecutor(9) as pool:
        answers = [*pool.map(lambda port: at(port, assertion), ports * 3)]
    (good,) = (each for each in answers if each.status_code == 200)
    whys = {each.json()["error_description"] for each in answers if each is not good}
    assert whys == {"the assertion is refused: it was used before"}
    assert statuses(turn, url, good.json()["access_token"]) == {200}

    waiting = issued(openid, url)
    redis.kill()
    assert at(ports[1], waiting).status_code == 503
    redis.start()
    assert at(ports[2], waiting).status_code == 200
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*.aof"))
    assert b"mcp:" in written
    assert b"sub-of-ann" not in written
