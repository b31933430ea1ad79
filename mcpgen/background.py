"""Work beside the main line, in a process of its own where that pays."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, Generic, NoReturn, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Runs `work` from now on; `result` waits for what it returns.

    A forked process sees everything that was there when it started, so nothing but the result is
    copied. Where there is no fork, one core only, or too little to do (`worth_it`), the work is
    done when the result is asked for; so is the work of a process that failed.
    """

    def __init__(self, work: Callable[[], T], *, worth_it: bool = True) -> None:
        self._work = work
        self._process: int | None = None
        if worth_it and pays():
            # A pipe tells the end alone: it would take no more than its reader has time for.
            self._found = os.fdopen(os.memfd_create("found"), "w+b")
            self._ended, end = os.pipe()
            self._process = os.fork()
            if not self._process:
                os.close(self._ended)  # nobody listens once the process that asked has ended
                _leave(work, self._found)
            os.close(end)
            atexit.register(self._stop)

    def result(self) -> T:
        """What the work returned."""
        if self._process is None:
            return self._work()
        with open(self._ended, "rb") as ended:
            ended.read()
        with suppress(ChildProcessError):  # the system waits for children where nobody does
            os.waitpid(self._process, 0)
        self._process = None
        atexit.unregister(self._stop)
        with self._found:
            self._found.seek(0)
            try:
                found: T = pickle.load(self._found)
            except (EOFError, pickle.UnpicklingError):  # it was cut off
                return self._work()
        return found

    def _stop(self) -> None:
        """Leave no process behind whose result nobody asked for."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)


def pays() -> bool:
    """Whether work can be done beside the main line: there is fork, and a core for it."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1


def _leave(work: Callable[[], object], found: BinaryIO) -> NoReturn:
    """Leave what the work returned, and end this process without a word: the other one speaks."""
    try:
        with open(os.devnull, "w") as sys.stderr, found:
            pickle.dump(work(), found, pickle.HIGHEST_PROTOCOL)
        os._exit(0)
    finally:
        os._exit(1)
