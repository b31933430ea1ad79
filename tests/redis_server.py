"""A Redis of a test's own, on a free port of this machine."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

BINARY = shutil.which("redis-server") or shutil.which("valkey-server")

_PATIENCE = 30.0
"""Seconds in which it must answer."""


class RedisServer:
    """A Redis that writes each change to the disk before it answers, and can be killed."""

    def __init__(self, folder: Path, *options: str) -> None:
        if BINARY is None:
            pytest.skip("redis-server is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._command = [BINARY, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._command += ["--dir", str(folder), "--appendonly", "yes", "--appendfsync", "always"]
        self._command += options
        self.start()

    @property
    def url(self) -> str:
        """By which it is reached."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Run it, with what it kept, until it takes connections; raises RuntimeError."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + _PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            if f"process_id:{self.process.pid}\r\n".encode() in self._told():
                return
            time.sleep(0.02)
        self.kill()
        raise RuntimeError("redis-server did not start")

    def _told(self) -> bytes:
        """What says who answers at the port, which may have become another program's."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as asking:
                asking.sendall(b"INFO server\r\n")
                return asking.recv(65536)
        except OSError:
            return b""

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self.process.kill()
        self.process.wait()
