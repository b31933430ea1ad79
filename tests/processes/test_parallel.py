"""Work on many items, on systems of any kind."""

import errno
import os
import sys
from concurrent.futures import process
from multiprocessing.context import SpawnContext
from types import SimpleNamespace

import pytest
from tables import table

from mcpgen.processes import background, parallel


def test_the_results_come_in_order():
    assert list(parallel.each(abs, [-3, 2, -1])) == [3, 2, 1]


@table("problem", OSError(errno.EROFS, "Read-only file system"), ImportError("no semaphores"))
def test_without_semaphores_all_is_done_in_this_process(monkeypatch, problem):
    def none(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(SpawnContext, "SimpleQueue", none)
    here = lambda number: (number, os.getpid())  # noqa: E731, it cannot be pickled
    assert list(parallel.each(here, [1, 2])) == [(1, os.getpid()), (2, os.getpid())]


def test_windows_has_many_cores(monkeypatch):
    windows = SimpleNamespace(**{**vars(sys), "platform": "win32"})
    monkeypatch.setattr(process, "sys", windows)
    monkeypatch.setattr(parallel, "cpu_count", lambda: 128)
    monkeypatch.setattr(process.ProcessPoolExecutor, "map", lambda self, *each: map(*each))
    assert list(parallel.each(abs, [-1] * 200)) == [1] * 200


def starts_a_process(_: int) -> bool:
    return background.pays()


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="no process is started beside another")
def test_no_process_of_several_starts_a_further_one():
    assert list(parallel.each(starts_a_process, [1, 2])) == [False, False]
