"""One API and one server for each document, for the whole session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .servers import SPECS, Server, generate
from .upstream import Upstream, listening


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    """The recording API."""
    with listening() as found:
        yield found


@pytest.fixture(scope="session")
def generated(
    upstream: Upstream, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Server]]:
    """Generate the server of a document in `specs/`, once."""
    servers: dict[str, Server] = {}
    path = list(sys.path)

    def get(document: str) -> Server:
        if document not in servers:
            folder = tmp_path_factory.mktemp("servers") / Path(document).parts[0].split(".")[0]
            servers[document] = generate(SPECS / document, folder, upstream)
        return servers[document]

    yield get
    sys.path[:] = path


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the machine that runs the tests is none of theirs."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
