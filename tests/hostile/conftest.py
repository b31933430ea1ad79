"""What the hostile tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime import sample


@pytest.fixture
def anyio_backend() -> str:
    """The servers run on asyncio only."""
    return "asyncio"


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample package."""
    folder = tmp_path_factory.mktemp("hostile-shop")
    sample.write(folder)
    return folder
