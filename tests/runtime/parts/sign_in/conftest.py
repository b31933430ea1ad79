"""A server whose callers sign in, and the provider at which they do."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from ... import sample
from ...serving import in_thread
from .openid import OpenId
from .signing import signing_server

ACCESS = {"getPet": [["pets:read"]], "create": [["pets:write"]]}


@contextmanager
def package(folder: Path, name: str, parts: str) -> Iterator[ModuleType]:
    """The `server` module of the sample package with parts, and scopes for two tools."""
    home = sample.write(folder, name)
    (home / "access.json").write_text(json.dumps(ACCESS))
    server = home / "server.py"
    server.write_text(server.read_text().replace("http, tokens", f"http, {parts}, tokens"))
    with sample.imported(folder, name) as found:
        yield found


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    """The `server` module of that package with the part."""
    folder = tmp_path_factory.mktemp("signing")
    with package(folder, "shop_that_signs_in_mcp", "sign_in") as found:
        yield found


@pytest.fixture
def openid():
    """The provider on loopback; Ann is a vet and Bob is a guest."""
    provider = OpenId(groups={"ann": ["Vets", "Other"], "bob": ["Guests"], "eve": ["Other"]})
    with in_thread(provider.app) as provider.url:
        yield provider


@pytest.fixture
def url(shop, openid, tmp_path):
    """The server's endpoint; its audit log is `audit` in the test's folder."""
    with signing_server(shop, openid, audit=str(tmp_path / "audit")) as served:
        yield served
