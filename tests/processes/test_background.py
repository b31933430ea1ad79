"""Work beside the main line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.processes.background import Background


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("worth_it", [False, True])
def test_the_result_comes_back(worth_it: bool) -> None:
    assert Background(lambda: "a" * 1_000_000, worth_it=worth_it).result() == "a" * 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
@pytest.mark.parametrize("made", ["'a' * 1_000_000", "time.sleep(60)"])
def test_no_process_outlives_the_one_that_asked(made: str) -> None:
    program = (
        "import os, signal, time\n"
        "from mcpgen.processes.background import Background\n"
        f"work = Background(lambda: {made})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    place = Path(__file__).parents[2]
    command = [sys.executable, "-c", program]
    # What is still running holds the pipe, for which this waits.
    subprocess.run(command, cwd=place, capture_output=True, timeout=20, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
def test_the_system_may_be_the_one_that_buries_processes() -> None:
    """Where a parent ignores SIGCHLD, its children do so too."""
    program = (
        "import signal\n"
        "from mcpgen.processes.background import Background\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "print(Background(lambda: 'done').result())\n"
    )
    command = [sys.executable, "-c", program]
    place = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("done\n", "")


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
def test_what_a_process_that_failed_had_to_do_is_done_here() -> None:
    here = os.getpid()
    assert Background(lambda: os.getpid() if os.getpid() == here else os._exit(0)).result() == here


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
def test_a_process_that_can_have_no_thread_ends() -> None:
    """What it had to do is done where it was asked for, and nothing is done twice."""
    program = (
        "import threading\n"
        "from mcpgen.processes.background import Background\n"
        "def fail(thread):\n"
        "    raise RuntimeError('no more threads')\n"
        "threading.Thread.start = fail\n"
        "print(Background(lambda: 'done').result())\n"
    )
    command = [sys.executable, "-c", program]
    place = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("done\n", "")
