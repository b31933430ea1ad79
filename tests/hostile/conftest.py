"""What the hostile tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from runtime import sample

from .faults import Api, failing_api


@pytest.fixture
def anyio_backend() -> str:
    """The servers run on asyncio only."""
    return "asyncio"


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """An API that fails in every way that is known."""
    with failing_api() as found:
        yield found


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample package."""
    folder = tmp_path_factory.mktemp("hostile-shop")
    sample.write(folder)
    return folder
