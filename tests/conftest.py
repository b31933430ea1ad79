"""What all tests share: in CI hypothesis tries the same examples every time."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import alone
import prepared
import pytest
import yaml
from hypothesis import HealthCheck, settings
from schema_documents import Convert, Converted

from mcpgen.bundled.parts import offer_all
from mcpgen.source import parse_yaml

offer_all()

# How fast a machine is, and which examples chance chooses, fail no test.
HERE = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("here", HERE)
settings.register_profile("ci", HERE, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# What is compiled is kept: each of the many processes that tests start would compile it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No authority is here, and none is needed: to load those of the system takes each client 40 ms.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

# All that collecting makes stays: none of it is garbage, and no collection has to look through it.
gc.disable()

alone.begin()


def pytest_configure(config: pytest.Config) -> None:
    """All workers start their programs from one process."""
    if config.getoption("numprocesses", None):
        prepared.start()


def pytest_collection_finish() -> None:
    """From here on garbage is collected, of what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than cores: many tests wait, for processes and for time to pass."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture
def usual_depth() -> Iterator[None]:
    """Python's own limit of recursion: mypy, which other tests import, raises it."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """mcpgen starts the processes that it starts for people."""
    alone.end(monkeypatch)


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    """Schemas of a small document, converted."""
    return partial(Converted, tmp_path)


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def yaml_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of PyYAML's parsers."""
    chosen = getattr(yaml, request.param, None)
    if chosen is None:
        pytest.skip("PyYAML was built without libyaml")
    monkeypatch.setattr(parse_yaml, "LOADER", chosen)
