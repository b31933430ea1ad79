"""The server that the conformance suite is run against, generated once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from end_to_end.servers import Server, generate
from end_to_end.upstream import listening
from runtime.serving import in_thread

from .wire import CURRENT, OF_OLDER, Http, Lines, filled, lines

CONFORMANCE = Path(__file__).parents[1] / "conformance"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server; its API is `server.upstream`."""
    folder = tmp_path_factory.mktemp("protocol") / "server"
    with listening() as upstream:
        made = generate(CONFORMANCE / "tools.yaml", folder, upstream, command="from-schema")
        yield filled(made, CONFORMANCE / "filled")


@pytest.fixture(scope="session")
def base(server: Server) -> Iterator[str]:
    """Where it is served over HTTP."""
    settings = server.module("_runtime").Settings(base_url=server.upstream.url)
    with in_thread(server.module("server").create_app(settings)) as found:
        yield found


@pytest.fixture(
    scope="module", params=[*OF_OLDER, ("stdio", CURRENT), ("http", CURRENT)], ids="-".join
)
def client(request: pytest.FixtureRequest, server: Server, base: str) -> Iterator[Lines | Http]:
    """A client of each revision; of 2026-07-28 over each transport."""
    kind, revision = request.param
    if kind == "http":
        yield Http(base, revision)
        return
    with lines(server, revision) as client:
        yield client


@pytest.fixture(scope="module", params=["stdio", "http"])
def current(request: pytest.FixtureRequest, server: Server, base: str) -> Iterator[Lines | Http]:
    """A client of 2026-07-28 over each transport."""
    if request.param == "http":
        yield Http(base)
        return
    with lines(server) as client:
        yield client
