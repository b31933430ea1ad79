"""The sample server as a process that is spoken to in raw lines."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from line_process import LineProcess
from prepared import python
from runtime.serving import INITIALIZE

PING = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}
SECONDS = 20.0
"""The longest wait for a line: no test takes that long unless it fails."""


class Server(LineProcess):
    """A running server; whatever it says on stdout is read as lines of JSON."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(process)
        self.logged = b""
        self._said: queue.Queue[bytes | None] = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read_stdout), threading.Thread(target=self._read_stderr),
        ]  # fmt: skip
        for reader in self._readers:
            reader.start()

    def _read_stdout(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put(None)

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.logged += line

    def line(self, seconds: float = SECONDS) -> bytes | None:
        """The next line as it came; None: there is none any more."""
        return self._said.get(timeout=seconds)

    def hear(self) -> dict[str, Any]:
        """The next message, which is one line of JSON-RPC."""
        line = self.line()
        assert line is not None, self.logged
        found: dict[str, Any] = json.loads(line)
        assert found["jsonrpc"] == "2.0"
        return found

    def rest(self) -> list[dict[str, Any]]:
        """Every message up to the end of stdout."""
        found = []
        while (line := self.line()) is not None:
            found.append(json.loads(line))
        return found

    def call(self, number: int, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        self.say(calling(number, tool, **arguments))
        answer = self.hear()
        assert answer["id"] == number, answer
        result: dict[str, Any] = answer["result"]
        return result

    def kill(self) -> None:
        """Have nothing of it left, the threads that read included."""
        self.process.kill()
        for reader in self._readers:
            reader.join(SECONDS)
        super().kill()

    @property
    def peak(self) -> int:
        """The most memory that the process has used, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) >> 10

    def end(self) -> int:
        """Close stdin and wait for the end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SECONDS)


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


def calling(number: int | str, tool: str, **arguments: Any) -> dict[str, Any]:
    """The message of a call."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@contextmanager
def started(
    folder: Path,
    before: Callable[[], None] | None = None,
    *,
    itself: bool = False,
    command: Sequence[str] = (),
    **environ: str,
) -> Iterator[Server]:
    """The sample server over stdio, initialized; `before` runs in the new process.

    `itself`: the process is the server's own. `command`: how it is started instead.
    """
    real = itself or before is not None
    own = [sys.executable, "-m", "shop_mcp"] if real else python("-m", "shop_mcp")
    process = subprocess.Popen(
        command or own,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "SHOP_KEY": "key-of-the-shop", **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,
    )
    server = Server(process)
    try:
        server.say(INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert server.hear()["id"] == INITIALIZE["id"]
        yield server
    finally:
        server.kill()
