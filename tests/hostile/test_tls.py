"""APIs that show a certificate which is not theirs, not valid, or none: nothing is sent to them."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme
from runtime.support import client, fast, raw

from mcpgen.runtime import ApiError

pytestmark = pytest.mark.anyio

GOOD = raw(b"{}", "200 OK", "Content-Type: application/json")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def authority() -> trustme.CA:
    """Whom the server trusts."""
    return trustme.CA()


@asynccontextmanager
async def api_with(shown: trustme.LeafCert) -> AsyncIterator[tuple[str, list[bytes]]]:
    """The URL of an API with a certificate, and what it was sent."""
    sent: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            sent.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(GOOD)
        except (asyncio.IncompleteReadError, OSError):
            pass  # it was not trusted
        finally:
            writer.close()

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    shown.configure_cert(context)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}", sent
    finally:
        server.close()


@pytest.mark.parametrize("wrong", ["", "expired", "of another host", "of nobody we know"])
async def test_only_a_good_certificate_is_trusted(
    authority: trustme.CA, tmp_path: Path, wrong: str
) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    shown = {
        "": lambda: authority.issue_cert("127.0.0.1"),
        "expired": lambda: authority.issue_cert("127.0.0.1", not_after=LONG_AGO),
        "of another host": lambda: authority.issue_cert("api.example"),
        "of nobody we know": lambda: trustme.CA().issue_cert("127.0.0.1"),
    }[wrong]()
    async with api_with(shown) as (url, sent):
        api = client(settings=fast(base_url=url, ca_bundle=str(tmp_path / "ca.pem")))
        if wrong:
            with pytest.raises(ApiError, match=r"certificate.*Nothing was sent"):
                await api.send("POST", "/x", json={})
            assert sent == []
        else:
            assert (await api.send("POST", "/x", json={})).data == {}
            assert len(sent) == 1


async def test_plain_http_where_https_is_said() -> None:
    came: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.read(1000))
        writer.write(raw(b"speak plainly", "400 Bad Request"))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(ApiError, match="Nothing was sent"):
            await client(settings=fast(base_url=url, retries=0)).send("GET", "/secret-path")
    assert len(came) == 1
    assert b"secret-path" not in came[0]
