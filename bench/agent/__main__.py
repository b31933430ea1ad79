"""What an agent reads and writes to do jobs, on both surfaces: tokens, round trips, jobs done.

    python -m bench.agent [--before CHECKOUT] [--jobs]

A script does twelve jobs on a server of our own API as an agent would: it finds tools, reads how
they are called, and calls them. It does them carefully, and carelessly: without `fields`, `limit`
and the API's own arguments of that kind. Eight further jobs are of many steps. `--before` is
another checkout of mcpgen: its server does the same, and the ratio is printed. Exit code 1: a job
is not done, or not right.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bench.agent.api import Api, served
from bench.agent.jobs import JOBS, Job
from bench.agent.operations import document
from bench.agent.session import How, Session, Wrong
from bench.agent.steps import STEPS
from bench.through import environment
from mcpgen.catalogue.tools_json import tokens

_HERE = Path(__file__).resolve().parents[2]
_BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Run:
    """Jobs done in one session."""

    title: str
    surface: str
    how: How
    jobs: Sequence[Job]


RUNS = (
    Run("careful", "search", How(), JOBS),
    Run("careful, with each", "search", How(has_each=True), JOBS),
    Run("careless", "search", How(is_careful=False), JOBS),
    Run("careful", "tools", How(), JOBS),
    Run("careless", "tools", How(is_careful=False), JOBS),
    Run("many steps", "search", How(), STEPS),
    Run("many steps, with each", "search", How(has_each=True), STEPS),
)


@dataclass
class Measured:
    """What a session cost, and what went wrong in it."""

    cost: Counter[str]
    """Tokens by what they were for."""
    calls: int = 0
    requests: int = 0
    right: int = 0
    by_job: list[tuple[str, int, int]] = field(default_factory=list)
    """Each job with its tokens and round trips."""
    wrong: list[str] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """All that a model reads and writes."""
        return self.cost.total()


def generated(checkout: Path, source: Path, folder: Path) -> Path:
    """A server by the mcpgen of a checkout."""
    command = [sys.executable, "-P", "-m", "mcpgen", "from-openapi", str(source), "-o", str(folder)]
    subprocess.run(
        [*command, "--surface", "search"],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
    )
    return folder


async def measured(folder: Path, api: Api, base_url: str, run: Run, errors: TextIO) -> Measured:
    """Do the jobs of a run in one session."""
    package = next(folder.glob("*/search.json")).parent.name
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", package, "--base-url", base_url, "--surface", run.surface],
        env=environment(folder, base_url),
        cwd=str(folder),
    )
    async with Client(stdio_client(command, errlog=errors)) as client:
        listed = []
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            listed += [
                t.model_dump(mode="json", by_alias=True, exclude_none=True) for t in page.tools
            ]
            cursor = page.next_cursor
            if not cursor:
                break
        keys = ("name", "description", "inputSchema")
        session = Session(client, listed, api, run.how)
        found = Measured(session.cost)
        found.cost["list"] = tokens([{key: tool[key] for key in keys} for tool in listed])
        found.cost["list"] += len((client.instructions or "").encode()) // _BYTES_PER_TOKEN
        for job in run.jobs:
            api.reset()
            before = found.tokens, session.calls
            try:
                await job(session)
                found.right += 1
            except Wrong as wrong:
                found.wrong.append(f"{job.__name__}: {wrong}")
            found.requests += api.requests
            found.by_job.append((job.__name__, found.tokens - before[0], session.calls - before[1]))
        found.calls = session.calls
    return found


def told(run: Run, found: Measured, before: Measured | None) -> str:
    """The line about a run."""
    parts = ", ".join(f"{what} {count:,}" for what, count in found.cost.items())
    text = (
        f"{run.surface}, {run.title}: {found.right} of {len(run.jobs)} jobs right; "
        f"{found.tokens:,} tokens ({parts}); {found.calls} calls, {found.requests} requests"
    )
    if before is None:
        return text
    ratios = f"tokens x{found.tokens / before.tokens:.2f}, calls x{found.calls / before.calls:.2f}"
    return (
        f"{text}\n    before: {before.right} right; {before.tokens:,} tokens, "
        f"{before.calls} calls: {ratios}"
    )


def main() -> None:
    """Measure this checkout, and another one beside it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="another checkout of mcpgen")
    parser.add_argument("--jobs", action="store_true", help="a line for each job")
    given = parser.parse_args()
    wrong: list[str] = []
    with (
        tempfile.TemporaryDirectory(prefix="mcpgen-agent-") as scratch,
        served() as (api, url),
        open(os.devnull, "w") as errors,
    ):
        source = Path(scratch, "hire.json")
        source.write_text(json.dumps(document()))
        servers = [generated(_HERE, source, Path(scratch, "now"))]
        if given.before:
            servers.append(generated(given.before, source, Path(scratch, "before")))
        for run in RUNS:
            now, *before = [asyncio.run(measured(each, api, url, run, errors)) for each in servers]
            print(told(run, now, before[0] if before else None), flush=True)
            wrong += now.wrong
            for text in now.wrong:
                print(f"    wrong: {text}")
            for place, (name, spent, calls) in enumerate(now.by_job if given.jobs else ()):
                was = f", before {before[0].by_job[place][1:]}" if before else ""
                print(f"    {name}: {spent:,} tokens, {calls} calls{was}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
