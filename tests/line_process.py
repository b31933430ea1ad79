"""A server process that is spoken to in lines."""

import json
import subprocess
from contextlib import suppress
from typing import Any


class LineProcess:
    """A process with pipes, started by whoever tests with it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def say(self, *messages: bytes | dict[str, Any]) -> None:
        """Send lines."""
        assert self.process.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next line."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline().decode("utf-8"))
        return found

    def kill(self) -> None:
        """Have nothing of it left, whatever it does."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
