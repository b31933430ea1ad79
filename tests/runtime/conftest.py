"""What the runtime's tests share."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The servers run on asyncio only."""
    return "asyncio"
