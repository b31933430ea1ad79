"""Work beside the main line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.processes.background import Background


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("worth_it", [False, True])
def test_the_result_comes_back(worth_it):
    assert Background(lambda: "a" * 1_000_000, worth_it=worth_it).result() == "a" * 1_000_000


def ended(program: str) -> subprocess.CompletedProcess[str]:
    """A Python program, once nothing of it is left: what still runs holds the pipes."""
    command, place = [sys.executable, "-c", program], Path(__file__).parents[2]
    return subprocess.run(
        command, cwd=place, capture_output=True, text=True, timeout=20, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
@pytest.mark.parametrize("made", ["'a' * 1_000_000", "time.sleep(60)"])
def test_no_process_outlives_the_one_that_asked(made):
    done = ended(
        "import os, signal, time\n"
        "from mcpgen.processes.background import Background\n"
        f"work = Background(lambda: {made})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert done.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
def test_what_a_process_that_failed_had_to_do_is_done_here():
    here = os.getpid()
    assert Background(lambda: os.getpid() if os.getpid() == here else os._exit(0)).result() == here


NO_THREADS = """
import threading
def fail(thread):
    raise RuntimeError("no more threads")
threading.Thread.start = fail
"""
BURIED_BY_THE_SYSTEM = "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
"""As a parent that ignores the signal has its children do."""


@pytest.mark.skipif(sys.platform != "linux", reason="work is done in the same process")
@pytest.mark.parametrize("before", [NO_THREADS, BURIED_BY_THE_SYSTEM], ids=["threads", "signal"])
def test_what_is_asked_for_is_done_once_on_an_odd_system(before):
    work = "from mcpgen.processes.background import Background\n"
    done = ended(f"{before}{work}print(Background(lambda: 'done').result())\n")
    assert (done.stdout, done.stderr) == ("done\n", "")
