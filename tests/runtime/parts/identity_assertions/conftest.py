"""A server that takes assertions, and the provider that issues them."""

import pytest

from ..sign_in.conftest import openid as openid
from ..sign_in.conftest import package
from ..sign_in.signing import signing_server
from .company import CLIENTS


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    """The `server` module of the sample package with the part, and scopes for two tools."""
    folder = tmp_path_factory.mktemp("asserting")
    with package(folder, "shop_that_takes_assertions_mcp", "sign_in, identity_assertions") as found:
        yield found


@pytest.fixture
def url(shop, openid, tmp_path):
    """The server's endpoint; its audit log is `audit` in the test's folder."""
    audit = str(tmp_path / "audit")
    with signing_server(shop, openid, audit=audit, sign_in_clients=CLIENTS) as served:
        yield served
