"""Clients and providers that nobody here wrote: each signs in at each, by the server.

`MCPGEN_NODE_MODULES` names the `node_modules` of `tests/conformance/package.json`, as `.ci/run`
makes it, with oidc-provider, the TypeScript clients and the Inspector. What is not there, or not
installed, is not run.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from runtime.parts.sign_in.signing import REDIRECT, Browser, Hand, Storage, sdk_client
from runtime.serving import asked, process

from bench.calls import free_port

from .servers import Server
from .test_sign_in import bookshop as bookshop
from .upstream import Answer

HERE = Path(__file__).parent
MODULES = Path(os.environ.get("MCPGEN_NODE_MODULES", "") or "/nowhere")
NODE = shutil.which("node") or ""


def provider_command(kind: str, callback: str, folder: Path) -> list[str]:
    """What starts a provider; skips where it is not there."""
    if kind == "django-oauth-toolkit":
        pytest.importorskip("oauth2_provider")
        return [sys.executable, str(HERE / "django_provider.py"), str(folder), callback]
    if not NODE or not (MODULES / "oidc-provider").is_dir():
        pytest.skip("MCPGEN_NODE_MODULES names no oidc-provider")
    script = HERE.parent / "typescript" / "openid_provider.mjs"
    return [NODE, str(script), str(MODULES), callback]


@contextmanager
def signing(server: Server, kind: str, folder: Path) -> Iterator[str]:
    """The server's endpoint, whose callers sign in at a provider of a kind."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    command = provider_command(kind, f"{url}/oauth/callback", folder)
    quiet: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **quiet) as provider:
        try:
            environ = {
                "BOOKSHOP_SIGN_IN_PROVIDER": "oidc",
                "BOOKSHOP_SIGN_IN_ISSUER": provider.stdout.readline().strip(),
                "BOOKSHOP_SIGN_IN_CLIENT_ID": "the-server",
                "BOOKSHOP_SIGN_IN_CLIENT_SECRET": "s3cret/of it",
                "BOOKSHOP_HTTP_RESOURCE": url,
                "BOOKSHOP_BASE_URL": server.upstream.url,
                "BOOKSHOP_SHOP_KEY": "key-of-the-server",
            }
            server.upstream.answer = Answer.of({"books": []})
            with process(server.folder, server.package, "--http", url[7:-4], **environ):
                yield url
        finally:
            provider.kill()


KINDS = pytest.mark.parametrize("kind", ["oidc-provider", "django-oauth-toolkit"])


@KINDS
async def test_the_python_client(bookshop, kind, tmp_path):
    with signing(bookshop, kind, tmp_path) as url:
        storage = Storage()
        async with (
            httpx2.AsyncClient(auth=sdk_client(url, storage, Browser())) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            result = await client.call_tool("listBooks", {})
        assert not result.is_error
        assert storage.tokens.scope == "books:read books:write"
        hand = Hand(url, storage.client.client_id)
        ended(hand, hand.refresh(storage.tokens.refresh_token).json())


def ended(hand: Hand, tokens: Mapping[str, Any]) -> None:
    """Tokens open something until they are revoked."""
    assert asked(hand.url, tokens["access_token"], "tools/list")["result"]["tools"]
    form = {"token": tokens["access_token"], "client_id": hand.client_id}
    assert httpx2.post(f"{hand.url}/oauth/revoke", data=form).status_code == 200
    assert asked(hand.url, tokens["access_token"], "tools/list")["error"] == "invalid_token"
    assert hand.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


@KINDS
@pytest.mark.parametrize("version", ["v1", "v2"])
async def test_the_typescript_clients(bookshop, kind, version, tmp_path):
    if not NODE or not (MODULES / "@modelcontextprotocol").is_dir():
        pytest.skip("MCPGEN_NODE_MODULES names no TypeScript client")
    script = HERE.parent / "typescript" / "signing_client.mjs"
    with signing(bookshop, kind, tmp_path) as url:
        command = [NODE, str(script), str(MODULES), version, url]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert "listBooks" in told["tools"]
        assert not told["isError"]
        assert told["scope"] == "books:read books:write"
        assert told["refreshed"]
        ended(Hand(url, told["client"]), told["tokens"])


@KINDS
async def test_the_inspector(bookshop, kind, tmp_path):
    inspector = MODULES / ".bin" / "mcp-inspector"
    if not NODE or not inspector.exists():
        pytest.skip("MCPGEN_NODE_MODULES names no Inspector")
    back = f"http://127.0.0.1:{free_port()}/oauth/callback"
    with signing(bookshop, kind, tmp_path) as url:
        command = [NODE, str(inspector), "--cli", url, "--method", "tools/list", "--format", "json"]
        command += ["--callback-url", back]
        environ = {**os.environ, "HOME": str(tmp_path), "MCP_AUTO_OPEN_ENABLED": "true"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=environ, **pipes) as run:
            watch = threading.Timer(50, run.kill)
            watch.start()
            told = []
            for line in run.stderr:
                told.append(line)
                if address := re.search(r"http://\S+/oauth/authorize\?\S+", line):
                    browser = Browser()
                    query = browser.visit(address[0], back)
                    httpx2.get(back, params=query)
                    break
            said, _ = run.communicate()
            watch.cancel()
    assert run.returncode == 0, told
    assert "listBooks" in said


@KINDS
async def test_who_is_refused_at_the_provider(bookshop, kind, tmp_path):
    """The provider refuses a code that is made up, and nothing of it is passed on."""
    with signing(bookshop, kind, tmp_path) as url:
        hand, browser = Hand(url), Browser()
        hand.register()
        answer = browser.reply(browser.get(hand.address()))
        state = re.search(r"state=([^&]+)", answer.headers["location"])
        back = browser.get(f"{url}/oauth/callback?code=made-up&state={state[1]}")
        assert back.headers["location"].startswith(f"{REDIRECT}?error=access_denied")
