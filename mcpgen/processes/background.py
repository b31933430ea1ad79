"""Work in a forked process in parallel to the main one, if that is faster."""

from __future__ import annotations

import atexit
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, Generic, NoReturn, TypeVar

from .temporary_files import nameless_file

T = TypeVar("T")

_all_cores_work = False


class Background(Generic[T]):
    """Runs `work` in a forked process at once; `result` waits for the return value.

    The forked process sees everything as it was at the start; only the result is copied back. The
    calling process does the work itself, when the result is requested, if `worth_it` is false, if
    it cannot fork or has no second core, or if the forked process cannot start or fails.
    """

    def __init__(self, work: Callable[[], T], *, worth_it: bool = True) -> None:
        self._work = work
        self._process: int | None = None
        if not (worth_it and pays()):
            return
        try:
            # A pipe tells the end alone: it would take no more than its reader has time for.
            self._found = nameless_file()
            self._ended, end = os.pipe()
            self._process = os.fork()
        except OSError:  # no place for the result, or no more processes
            return
        if not self._process:
            os.close(self._ended)  # nobody listens once the process that asked has ended
            _leave(work, self._found, end)
        os.close(end)
        atexit.register(self._stop)

    def result(self) -> T:
        """The return value of the work; it can be requested only once, since it is not kept."""
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
        """Kill the process if nobody asked for its result."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)


def pays() -> bool:
    """Whether a second process helps: the system can fork and has a free core."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and not _all_cores_work


def all_cores_work() -> None:
    """Record, in a worker process of a pool, that all cores are busy."""
    global _all_cores_work
    _all_cores_work = True


def _end_unheard(pipe: int) -> None:
    """Wait until nobody reads the pipe any more, then end this process."""
    listening = select.poll()
    listening.register(pipe, 0)  # only an error is waited for: nobody reads any more
    listening.poll()
    os._exit(1)


def _leave(work: Callable[[], object], found: IO[bytes], end: int) -> NoReturn:
    """Do the work in the forked process, send the result to the parent, and exit without output."""
    try:
        Thread(target=_end_unheard, args=[end], daemon=True).start()
        with open(os.devnull, "w") as sys.stderr, found:
            pickle.dump(work(), found, pickle.HIGHEST_PROTOCOL)
        os._exit(0)
    finally:
        os._exit(1)
