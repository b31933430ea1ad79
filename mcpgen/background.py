"""Work beside the main line, in a process of its own where that pays."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Runs `work` from now on; `result` waits for what it returns.

    A forked process sees everything that was there when it started, so nothing but the result is
    copied. Where there is no fork, one core only, or too little to do (`worth_it`), the work is
    done when the result is asked for; so is the work of a process that failed.
    """

    def __init__(self, work: Callable[[], T], *, worth_it: bool = True) -> None:
        self._work = work
        self._receiver: Connection | None = None
        if worth_it and sys.platform == "linux" and (os.cpu_count() or 1) > 1:
            context = multiprocessing.get_context("fork")
            self._receiver, sender = context.Pipe(duplex=False)
            ends = (self._receiver, sender)
            process = context.Process(target=_send, args=(work, *ends), daemon=True)
            process.start()
            sender.close()

    def result(self) -> T:
        """What the work returned."""
        if self._receiver is None:
            return self._work()
        try:
            found: T = self._receiver.recv()
        except EOFError:
            return self._work()
        finally:
            self._receiver.close()
        return found


def _send(work: Callable[[], T], receiver: Connection, sender: Connection) -> None:
    receiver.close()  # nobody listens then once the process that asked has ended
    with open(os.devnull, "w") as nowhere:  # the process that asked tells what is to be told
        sys.stderr = nowhere
        sender.send(work())
        sender.close()
