"""A command in a process of its own, killed before it changes the disk for the nth time."""

import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

from command_line import run

_CHANGING = frozenset({"os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir"})
_WRITING = os.O_WRONLY | os.O_RDWR


def killed_at(instant: int, folder: Path, *command: str) -> int:
    """How often a command began to change what is below the folder; at 0 it is not killed."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        _run_and_die(instant, folder, command, sender)
    os.close(sender)
    with os.fdopen(receiver, "rb") as pipe:
        changes = len(pipe.read())
    _, status = os.waitpid(child, 0)
    expected = signal.SIGKILL if 0 < instant <= changes else 0
    assert (os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)) == expected
    return changes


def _run_and_die(instant: int, folder: Path, command: tuple[str, ...], sender: int) -> NoReturn:
    signal.alarm(60)
    changes = 0

    def watch(event: str, given: tuple[Any, ...]) -> None:
        nonlocal changes
        opened = event == "open" and isinstance(given[2], int) and given[2] & _WRITING
        if (opened or event in _CHANGING) and str(given[0]).startswith(str(folder)):
            changes += 1
            os.write(sender, b".")
            if changes == instant:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    os._exit(run(*command).exit_code)
