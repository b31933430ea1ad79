"""Running the same function on many items, in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import cpu_count
from typing import TypeVar

from .background import all_cores_work

Item = TypeVar("Item")
Found = TypeVar("Found")

_MAX_PROCESSES = 61
"""Processes that Windows can wait for at once."""


def each(work: Callable[[Item], Found], items: Sequence[Item]) -> Iterator[Found]:
    """Apply `work` to each item in parallel processes; yields the results in order.

    A single item is processed in this process. So are all items if the system cannot share data
    between processes. The function, its items and its results must be picklable.
    """
    if len(items) <= 1:
        yield from map(work, items)
        return
    from concurrent.futures import ProcessPoolExecutor  # of no use for one
    from multiprocessing import get_context

    workers = min(len(items), cpu_count() or 1, _MAX_PROCESSES)
    try:
        context = get_context("spawn")
        pool = ProcessPoolExecutor(workers, context, initializer=all_cores_work)
    except (OSError, ImportError, NotImplementedError):  # no semaphores: /dev/shm is missing, say
        yield from map(work, items)
        return
    with pool:
        yield from pool.map(work, items)
