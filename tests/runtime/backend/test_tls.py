"""Which certificates are trusted: the same ones, as strictly, on every way to a context."""

import asyncio
import re
import ssl
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import company_ca
import pytest

from mcpgen.runtime import ApiError, Settings
from mcpgen.runtime.backend.tls import tls_context

from ..support import client, raw

ROOT = Path(__file__).parents[3] / "mcpgen"
GOOD = raw(b"{}", "200 OK", "Content-Type: application/json")

Way = Callable[[pytest.MonkeyPatch, Path], str | None]


@pytest.fixture(autouse=True)
def as_since_3_13(monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with company_ca.strict_by_default(monkeypatch):
        yield


@asynccontextmanager
async def api_of_a_company(context: ssl.SSLContext) -> AsyncIterator[str]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(GOOD)
        except (asyncio.IncompleteReadError, OSError):
            pass  # it was not trusted
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def by_bundle(_: pytest.MonkeyPatch, file: Path) -> str:
    return str(file)


def by_file(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(file))


def by_both(monkeypatch: pytest.MonkeyPatch, file: Path) -> str:
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return str(file)


def by_bundle_beside_others(monkeypatch: pytest.MonkeyPatch, file: Path) -> str:
    folder = file.parent / "others"
    folder.mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(company_ca.issue(folder)[0]))
    return str(file)


def by_system(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    paths = SimpleNamespace(openssl_cafile=str(file), openssl_capath="")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)


WAYS = [by_bundle, by_file, by_both, by_bundle_beside_others]
if sys.platform == "linux":  # elsewhere the system itself is asked
    WAYS.append(by_system)


@pytest.mark.parametrize("way", WAYS)
async def test_a_companys_authority_is_trusted_by_whatever_way_it_is_named(
    tmp_path, monkeypatch, way
):
    file, shown = company_ca.issue(tmp_path)
    bundle = way(monkeypatch, file)
    assert not tls_context(bundle).verify_flags & ssl.VERIFY_X509_STRICT
    async with api_of_a_company(shown) as url:
        api = client(settings=Settings(base_url=url, ca_bundle=bundle, retries=0))
        assert (await api.send("GET", "/x")).data == {}


async def test_a_strict_context_refuses_it_and_no_bundle_is_named(tmp_path, monkeypatch):
    """What Python does by itself from 3.13 on; and the certificate is no unknown one."""
    file, shown = company_ca.issue(tmp_path)
    strict = ssl.create_default_context(cafile=str(file))
    monkeypatch.setattr("mcpgen.runtime.backend.session.tls_context", lambda _: strict)
    async with api_of_a_company(shown) as url:
        with pytest.raises(ApiError, match=company_ca.REFUSAL) as failed:
            await client(settings=Settings(base_url=url, retries=0)).send("GET", "/x")
    assert "CA_BUNDLE" not in failed.value.message


async def test_who_is_not_named_is_not_trusted(tmp_path):
    _, shown = company_ca.issue(tmp_path)
    async with api_of_a_company(shown) as url:
        with pytest.raises(ApiError, match="SHOP_CA_BUNDLE names trusted ones"):
            await client(settings=Settings(base_url=url, retries=0)).send("GET", "/x")


def test_contexts_are_made_in_one_place():
    makers = re.compile("create_default_context|create_ssl_context|_create_unverified_context")
    files = (path for path in ROOT.rglob("*.py") if makers.search(path.read_text("utf-8")))
    assert [*files] == [ROOT / "runtime/backend/tls.py"]
