"""Work beside the main line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.background import Background


@pytest.mark.parametrize("worth_it", [False, True])
def test_the_result_comes_back(worth_it: bool) -> None:
    assert Background(lambda: "a" * 1_000_000, worth_it=worth_it).result() == "a" * 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
def test_no_process_outlives_the_one_that_asked() -> None:
    program = (
        "import os, signal\n"
        "from mcpgen.background import Background\n"
        "work = Background(lambda: 'a' * 1_000_000)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    place = Path(__file__).parent.parent
    command = [sys.executable, "-c", program]
    # What is still running holds the pipe, for which this waits.
    subprocess.run(command, cwd=place, capture_output=True, timeout=20, check=False)
