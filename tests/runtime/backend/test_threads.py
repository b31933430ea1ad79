"""Plain functions and large answers, which are worked on in threads."""

import threading
import time
from functools import partial
from types import SimpleNamespace

import anyio
import anyio.from_thread

from mcpgen.runtime.backend.threads import LARGE, aside
from mcpgen.runtime.calls.threads import AT_ONCE, run_in_thread


async def test_functions_that_wait_for_large_answers_do_not_keep_them_waiting():
    """Each of them holds a thread meanwhile, as many as there are."""
    found = []
    context = SimpleNamespace()

    def function(_):
        all_run.wait(10)
        return anyio.from_thread.run(aside, LARGE, lambda: 1)

    async def call():
        found.append(await run_in_thread(function, context, {}))

    all_run = threading.Barrier(AT_ONCE)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as calls:
            for _ in range(AT_ONCE):
                calls.start_soon(call)
    assert sum(found) == AT_ONCE


async def test_large_answers_are_read_one_at_a_time():
    running, most = [0], [0]

    def read():
        running[0] += 1
        most[0] = max(most[0], running[0])
        time.sleep(0.01)
        running[0] -= 1

    async with anyio.create_task_group() as calls:
        for _ in range(5):
            calls.start_soon(partial(aside, LARGE, read, alone=True))
    assert most == [1]
