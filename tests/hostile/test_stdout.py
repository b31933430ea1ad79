"""Whatever writes to stdout inside a server, clients read the protocol and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from runtime import sample

from . import talking

NOISE = """
import asyncio, atexit, ctypes, logging, os, subprocess, sys, warnings

from .._runtime import tool


class Panic(BaseException):
    pass  # as what fails in Rust below a handler


print("noise of an import")
atexit.register(print, "noise of the end")


@tool("fail")
async def fail(ctx, *, how):
    if how == "print":
        print("noise of print")
    elif how == "stdout":
        sys.__stdout__.write("noise of __stdout__")
        sys.__stdout__.flush()
    elif how == "descriptor":
        os.write(1, b"noise of os.write")
    elif how == "C":
        libc = ctypes.CDLL(None)
        libc.puts(b"noise of puts")
        libc.fflush(None)
    elif how == "child":
        subprocess.run(["sh", "-c", "echo noise of a child"])
    elif how == "reading child":
        return subprocess.run(["cat"], capture_output=True, text=True).stdout or "nothing"
    elif how == "logging":
        logging.basicConfig(stream=sys.stdout, force=True, level="DEBUG")
        logging.getLogger().error("noise of logging")
    elif how == "warning":
        warnings.showwarning("noise of a warning", UserWarning, "f", 1, sys.stdout)
    elif how == "traceback":
        raise RuntimeError("noise\\n{} of an exception")
    elif how == "exit":
        sys.exit("noise of an exit")
    elif how == "panic":
        raise Panic("noise of a panic")
    elif how == "generator":
        raise GeneratorExit("noise of a generator")
    elif how == "another cancellation":
        waited = asyncio.ensure_future(asyncio.sleep(60))
        waited.cancel()
        await waited
    return "done"


@tool("state")
async def state(ctx):
    return {}
"""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a package that makes noise."""
    folder = tmp_path_factory.mktemp("noisy")
    home = sample.write(folder)
    (home / "handlers" / "failing.py").write_text(NOISE)
    return folder


@pytest.fixture(scope="module")
def server(noisy: Path) -> Iterator[talking.Server]:
    with talking.started(noisy) as found:
        yield found


HOW = ("print", "stdout", "descriptor", "C", "child", "logging", "warning")


def test_a_child_reads_nothing_of_the_protocol(server: talking.Server) -> None:
    assert server.call(1, "fail", how="reading child")["content"][0]["text"] == "nothing"


@pytest.mark.parametrize("how", ["traceback", "exit", "panic", "generator", "another cancellation"])
def test_an_exception_is_an_answer(server: talking.Server, how: str) -> None:
    assert server.call(1, "fail", how=how)["isError"]
    assert server.call(2, "fail", how="nothing")["content"][0]["text"] == "done"


def test_noise_is_in_the_log_and_no_part_of_the_protocol(noisy: Path) -> None:
    """Nothing is on stdout after the last answer either."""
    with talking.started(noisy) as server:
        for how in HOW:
            assert server.call(1, "fail", how=how)["content"][0]["text"] == "done", how
        assert server.end() == 0
        assert server.rest() == []
        for reader in server._readers:
            reader.join(talking.SECONDS)
        for noise in ("an import", "print", "os.write", "puts", "a child", "logging", "the end"):
            assert f"noise of {noise}".encode() in server.logged
