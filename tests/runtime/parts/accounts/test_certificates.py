"""Why the API's certificate is not accepted: whoever is called at night looks there first."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
import trustme
from tables import table

from mcpgen.runtime import Api, ApiError, OAuth2, Settings, ToolError

from ...support import client

HERE = "127.0.0.1"
NOW = datetime.now(UTC)
DAY = timedelta(days=1)
REFUSED = "its certificate is refused: "
ADVICE = "P_CA_BUNDLE names trusted ones."


@asynccontextmanager
async def showing(certificate: trustme.LeafCert) -> AsyncIterator[str]:
    """The URL of a server with a certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(serve, HERE, 0, ssl=context)
    try:
        yield f"https://{HERE}:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@table(
    "host, begins, ends, known, said",
    (HERE, -2 * DAY, -DAY, True, "certificate has expired"),
    (HERE, DAY, 2 * DAY, True, "certificate is not yet valid"),
    ("10.0.0.1", -DAY, DAY, True, f"IP address mismatch, certificate is not valid for '{HERE}'"),
    ("shop.example", -DAY, DAY, True, "IP address mismatch, certificate is not valid for "),
    (HERE, -DAY, DAY, False, "unable to get local issuer certificate"),
)
async def test_what_is_wrong_with_a_certificate_is_told(
    tmp_path, caplog, monkeypatch, host, begins, ends, known, said
):
    """By the API's host, and by the one that access tokens come from."""
    authority = trustme.CA()
    (authority if known else trustme.CA()).cert_pem.write_to_path(tmp_path / "ca.pem")
    shown = authority.issue_cert(host, not_before=NOW + begins, not_after=NOW + ends)
    monkeypatch.setenv("P_ID", "shop")
    monkeypatch.setenv("P_SECRET", "of the shop")
    async with showing(shown) as url:
        scheme = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", f"{url}/token")
        api = client(
            api=Api("P", security_schemes={"pets": scheme}),
            settings=Settings(base_url=url, ca_bundle=str(tmp_path / "ca.pem")),
        )
        with pytest.raises(ApiError) as failed:
            await api.send("GET", "/pets")
        with pytest.raises(ToolError) as unsigned:
            await api.send("GET", "/pets", security=[{"pets": []}])
    began = f"No connection to {url[8:]}: {REFUSED}{said}"
    assert failed.value.message.startswith(began)
    advice = "" if known else f" {ADVICE}"
    assert failed.value.message.endswith(f".{advice} Nothing was sent.")
    assert (ADVICE in unsigned.value.message) is not known
    assert unsigned.value.message.startswith(f"No access token came from {HERE}: ")
    assert said in unsigned.value.message
    assert said in caplog.text
