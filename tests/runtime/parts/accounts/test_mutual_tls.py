"""Mutual TLS against a server that asks for a certificate, made for the test."""

import asyncio
import os
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from prepared import python

from mcpgen.runtime import Api, ApiError, MutualTls, OAuth2, Settings, ToolError
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.parts.http.settings import HttpSettings

from ...support import client, raw

TLS = [{"tls": []}]


@dataclass
class Certified:
    """An API by TLS and the names on the certificates that it was shown."""

    url: str = ""
    names: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def authority():
    """Whom both sides trust."""
    return trustme.CA()


@asynccontextmanager
async def certified(authority: trustme.CA, required: ssl.VerifyMode) -> AsyncIterator[Certified]:
    found = Certified()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                shown = writer.get_extra_info("peercert") or {}
                found.names += [name for _, name in shown.get("subjectAltName", (("", "nobody"),))]
                ends = ["Connection: close"] if b"?last" in request else []
                writer.write(raw(b"{}", "200 OK", "Content-Type: application/json", *ends))
                if ends:
                    break
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.verify_mode = required
    authority.configure_trust(context)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    found.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.close()


@pytest.fixture
def trusted(authority, tmp_path):
    """The authority's own certificate, as a file."""
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return tmp_path / "ca.pem"


@pytest.fixture
def mine(authority, tmp_path, monkeypatch):
    """The server's own certificate, in a file with its key."""
    found = authority.issue_cert("ann@shop.example")
    found.private_key_and_cert_chain_pem.write_to_path(tmp_path / "ann.pem")
    monkeypatch.setenv("P_CERT", str(tmp_path / "ann.pem"))
    monkeypatch.delenv("P_KEY", raising=False)
    return found


def api_at(url: str, trusted: Path) -> ApiClient:
    api = Api("P", security_schemes={"tls": MutualTls("P_CERT", "P_KEY")})
    settings = Settings(base_url=url, timeout=10, retries=0, ca_bundle=str(trusted))
    return client(api=api, settings=settings)


@pytest.mark.parametrize("together", [True, False])
async def test_the_certificate_is_shown(authority, trusted, tmp_path, monkeypatch, mine, together):
    if not together:
        mine.cert_chain_pems[0].write_to_path(tmp_path / "ann.pem")
        mine.private_key_pem.write_to_path(tmp_path / "ann.key")
        monkeypatch.setenv("P_KEY", str(tmp_path / "ann.key"))
    async with certified(authority, ssl.CERT_REQUIRED) as api:
        shop = api_at(api.url, trusted)
        for _ in range(2):
            assert (await shop.send("GET", "/pets", security=TLS)).status == 200
        await shop._backend.connections.aclose()
    assert api.names == ["ann@shop.example"] * 2


@pytest.mark.usefixtures("mine")
async def test_an_operation_that_does_not_ask_shows_none(authority, trusted):
    async with certified(authority, ssl.CERT_OPTIONAL) as api:
        shop = api_at(api.url, trusted)
        for security in (TLS, [], TLS):
            await shop.send("GET", "/pets", security=security)
        await shop._backend.connections.aclose()
    assert api.names == ["ann@shop.example", "nobody", "ann@shop.example"]


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("exchanged", [False, True])
async def test_a_token_is_asked_for_with_the_certificate_that_goes_with_it(
    authority, trusted, monkeypatch, exchanged
):
    """It may be bound to the certificate (RFC 8705 3)."""
    monkeypatch.setenv("P_ID", "app")
    monkeypatch.setenv("P_SECRET", "s")
    caller = {"authorization": "Bearer t"} if exchanged else None
    async with certified(authority, ssl.CERT_OPTIONAL) as api:
        login = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", f"{api.url}/token")
        schemes = {"tls": MutualTls("P_CERT", ""), "login": login}
        settings = HttpSettings(
            base_url=api.url,
            ca_bundle=str(trusted),
            caller_exchange=(("login", "Authorization"),) if exchanged else (),
        )
        shared = client(api=Api("P", security_schemes=schemes), settings=settings)._backend
        shop = ApiClient(shared, "tool", None, caller)
        for alternative in ({"login": [], "tls": []}, {"login": []}):
            with pytest.raises(ToolError, match="its answer holds none"):
                await shop.send("GET", "/pets", security=[alternative])
        await shared.connections.aclose()
    assert api.names == ["ann@shop.example", "nobody"]


@pytest.mark.usefixtures("mine")
async def test_a_certificate_of_somebody_else_is_refused(authority, trusted, tmp_path):
    stranger = trustme.CA().issue_cert("ann@shop.example")
    stranger.private_key_and_cert_chain_pem.write_to_path(tmp_path / "ann.pem")
    async with certified(authority, ssl.CERT_REQUIRED) as api:
        shop = api_at(api.url, trusted)
        with pytest.raises(ApiError):
            await shop.send("GET", "/pets", security=TLS)
        await shop._backend.connections.aclose()
    assert api.names == []


async def test_a_certificate_that_was_renewed_is_shown(authority, trusted, tmp_path, monkeypatch):
    monkeypatch.setenv("P_CERT", str(tmp_path / "ann.pem"))
    monkeypatch.setenv("P_KEY", str(tmp_path / "ann.key"))
    async with certified(authority, ssl.CERT_REQUIRED) as api:
        shop = api_at(api.url, trusted)
        for name in ("old.shop.example", "new.shop.example"):
            mine = authority.issue_cert(name)
            mine.cert_chain_pems[0].write_to_path(tmp_path / "ann.pem")
            if name.startswith("new"):  # its key is not there yet
                await shop.send("GET", "/pets", query={"last": "1"}, security=TLS)
            else:
                with pytest.raises(ToolError, match="cannot be read"):
                    await shop.send("GET", "/pets", security=TLS)
            mine.private_key_pem.write_to_path(tmp_path / "ann.key")
            await shop.send("GET", "/pets", security=TLS)
            await shop.send("GET", "/pets", query={"last": "1"}, security=TLS)
        await shop._backend.connections.aclose()
    assert api.names == ["old.shop.example"] * 3 + ["new.shop.example"] * 2


READ_IT = """
import sys
from mcpgen.runtime import Api, App, MutualTls, ServerInfo, http
schemes = {"tls": MutualTls("P_CERT", "P_KEY")}
api = Api("P", security_schemes=schemes)
app = App(package="mcpgen", info=ServerInfo("p"), api=api, handlers={}, parts=[http])
sys.exit(app.main(["--check"]))
"""


def test_a_key_with_a_password_asks_nobody_for_it(mine, tmp_path):
    mine.cert_chain_pems[0].write_to_path(tmp_path / "ann.pem")
    key = serialization.load_pem_private_key(mine.private_key_pem.bytes(), None)
    locked = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"sentinel"),
    )
    (tmp_path / "ann.key").write_bytes(locked)
    environ = {"P_CERT": str(tmp_path / "ann.pem"), "P_KEY": str(tmp_path / "ann.key")}
    with subprocess.Popen(
        python("-c", READ_IT),
        env=os.environ | environ,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            assert process.wait(30) == 2  # it reads nothing of a stdin that stays open
        finally:
            process.kill()
        told = process.stderr.read()
    assert "P_CERT and P_KEY: this must be a readable certificate" in told
    assert "without a password" in told
    assert "pass phrase" not in told
