"""What the runtime's tests share."""

import json

import pytest

from . import sample
from .authorization import CLIENT, SECRET, Guarded
from .issuer import SCOPES, Issuer
from .serving import in_thread


@pytest.fixture
def anyio_backend():
    """The servers run on asyncio only."""
    return "asyncio"


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where the sample package is."""
    found = tmp_path_factory.mktemp("sample")
    sample.write(found)
    return found


@pytest.fixture(scope="module")
def shop(tmp_path_factory, request):
    """The `server` module of the sample package, called as the test module says in `PACKAGE`.

    With the scopes that are needed for its tools, if the test module has them in `ACCESS`.
    """
    folder, package = tmp_path_factory.mktemp("shop"), request.module.PACKAGE
    home = sample.write(folder, package)
    if access := getattr(request.module, "ACCESS", None):
        (home / "access.json").write_text(json.dumps(access))
    with sample.imported(folder, package) as found:
        yield found


@pytest.fixture
def guarded():
    """The authorization server and the API."""
    return Guarded()


@pytest.fixture
def url(guarded):
    """Where they are."""
    with in_thread(guarded.app) as base:
        yield base


@pytest.fixture(scope="module")
def issuer():
    """An authorization server on loopback."""
    found = Issuer(SCOPES)
    with in_thread(found.app) as url:
        found.url = url
        yield found


@pytest.fixture
def by_client(monkeypatch):
    """Client id and secret are set."""
    for name in ("TOKEN", "REFRESH", "SECRET_FILE"):
        monkeypatch.delenv(f"P_{name}", raising=False)
    monkeypatch.setenv("P_ID", CLIENT)
    monkeypatch.setenv("P_SECRET", SECRET)
