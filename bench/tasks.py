"""Tasks by the thousand: started, polled, cancelled and expired, and what stays of them.

python -m bench.tasks [--tasks 10000]
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.extension import advertise
from mcp_types import Request, Result
from pydantic import ConfigDict

SCHEMA = {"type": "object", "properties": {}}
TOOL = {"name": "wait", "description": "Wait.", "inputSchema": SCHEMA, "task": "optional"}
HANDLER = """
import anyio

from .._runtime import Context, tool


@tool("wait")
async def wait(ctx: Context) -> object:
    await anyio.sleep_forever()
"""
CALLERS = 20


class Answer(Result):
    """Whatever the server says."""

    model_config = ConfigDict(extra="allow")


def generate(folder: Path) -> Any:
    """The package of a server with one tool that never ends."""
    source = folder / "bench.json"
    source.write_text(json.dumps({"server": {"name": "long"}, "tools": [TOOL]}))
    command = [sys.executable, "-m", "mcpgen", "from-schema", str(source), "-o", str(folder / "s")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (folder / "s" / "long_mcp" / "handlers" / "tools.py").write_text(HANDLER)
    sys.path.insert(0, str(folder / "s"))
    return import_module("long_mcp.server")


async def timed(
    what: str, items: Iterable[Any], work: Callable[[Any], Awaitable[Any]]
) -> list[Any]:
    """Do the work for each item, by a few callers at a time, and print how fast that was."""
    found: list[Any] = []
    waiting = iter(items)

    async def some() -> None:
        for item in waiting:
            found.append(await work(item))

    started = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(CALLERS):
            group.start_soon(some)
    seconds = time.perf_counter() - started
    print(f"{what:10} {len(found):6} in {seconds:6.2f} s: {len(found) / seconds:6.0f} a second")
    return found


async def run(server: Any, count: int) -> None:
    """The whole life of `count` tasks."""
    store = import_module("long_mcp._runtime.parts.tasks.store")
    now = 0.0
    made: list[Any] = []

    def injected(*given: Any) -> Any:
        made.append(store.TaskStore(*given, clock=lambda: now))
        return made[-1]

    import_module("long_mcp._runtime.parts.tasks.tasks").TaskStore = injected  # type: ignore[attr-defined]
    settings = import_module("long_mcp._runtime").TaskSettings(max_tasks=count)
    tasks = [advertise("io.modelcontextprotocol/tasks")]
    async with Client(server.create_server(settings), extensions=tasks) as client:

        async def send(method: str, **params: Any) -> Any:
            request = Request[Any, str](method=method, params=params)
            return (await client.session.send_request(request, Answer)).model_dump()

        async def start(_: int) -> str:
            return str((await send("tools/call", name="wait", arguments={}))["taskId"])

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        known = await timed("started", range(count), start)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{'memory':10} {(after - before) / count:6.1f} KiB a task under way")
        await timed("polled", known, lambda task: send("tasks/get", taskId=task))
        await timed("cancelled", known[::2], lambda task: send("tasks/cancel", taskId=task))
        now = settings.task_ttl + 1
        made[0].forget()
        await anyio.wait_all_tasks_blocked()
        gc.collect()
        left = sum(isinstance(thing, store.Task) for thing in gc.get_objects())
        print(f"{'expired':10} {len(made[0]):6} on record, {left} in memory")


def main() -> None:
    """Generate a server, and run the benchmark in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    count = parser.parse_args().tasks
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(partial(run, generate(Path(folder)), count))


if __name__ == "__main__":
    main()
