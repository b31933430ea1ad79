"""How well agents find tools through the search surface, and what that costs them.

    python -m bench.retrieval FOLDER [--documents FOLDER/../specs] [--only NAME]

FOLDER has `questions.jsonl` and `queries.jsonl`. A server is generated of each document that they
ask about, and of each other one with more than 100 operations, and `find_tools` is called.
Exit code 1: a server misses a bar.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp.client import Client

from mcpgen.catalogue.tools_json import tokens, tokens_in

AT = (1, 3, 5, 20)
BARS = {"q1": (90.0, 97.0, 98.5, 99.9), "better": (94.0, 98.0, 99.0, 99.9)}
MANY = 100
SPENT = 620
"""The mean of the tokens of finding a tool and reading how it is called."""
OWN, LINES, FIND, ALL = 1300, 500, 800, 3000
"""The most tokens of the surface's own tools, of lines (median, most), and of one job."""
_NAME = re.compile(r"([\w.-]+)\(")
_LONG = 50
"""Tools of an answer that are looked at."""


@dataclass
class Question:
    """A question with the names of the tools that answer it, and what a model typed for it."""

    text: str
    right: list[Mapping[str, str]]
    queries: tuple[str, str]


@dataclass
class Measured:
    """What was measured of one server."""

    ranks: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    misses: list[str] = field(default_factory=list)
    own: int = 0
    found: list[int] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    weak: list[bool] = field(default_factory=list)
    false_weak: int = 0
    """Questions whose tool is among the first three, and is said to be a weak match."""
    spent: list[int] = field(default_factory=list)
    """The tokens of finding a tool and, where its definition did not come along, describing it."""
    along: list[bool] = field(default_factory=list)
    """The definitions that came along: whether they were right."""

    def recall(self, which: str) -> list[float]:
        """The share of questions in percent whose tool is among the first 1, 3, 5 and 20."""
        ranks = self.ranks[which]
        return [100 * sum(rank < at for rank in ranks) / len(ranks) for at in AT]


def questions(folder: Path) -> dict[str, list[Question]]:
    """The questions by document."""
    typed = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    by_index = {each["index"]: (each["q1"], each["q2"]) for each in typed}
    found: dict[str, list[Question]] = defaultdict(list)
    for index, line in enumerate((folder / "questions.jsonl").read_text().splitlines()):
        given = json.loads(line)
        question = Question(given["question"], given["answers"], by_index[index])
        found[given["doc"]].append(question)
    return found


def generated(source: Path, folder: Path) -> Path | None:
    """The package of a server with the search surface; None where the document gives none."""
    command = [sys.executable, "-m", "mcpgen", "from-openapi", str(source), "-o", str(folder)]
    done = subprocess.run(
        [*command, "--surface", "search", "--package", f"bench_{folder.name}"],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    if done.returncode:
        print(f"{source.name}: no server: {done.stderr.strip().splitlines()[:1]}")
        return None
    return next(folder.glob("*/search.json")).parent


@contextlib.asynccontextmanager
async def client_of(package: Path) -> AsyncIterator[Client]:
    """A client of a server in this process, whose API is its own examples."""
    sys.path.insert(0, str(package.parent))
    try:
        server = importlib.import_module(f"{package.name}.server")
        runtime = importlib.import_module(f"{package.name}._runtime")
        mock = importlib.import_module(f"{package.name}._runtime.app.once").MockTransport
        settings = runtime.Settings(surface="search")
        async with Client(
            server.create_server(settings, transport=mock(server.APP.package))
        ) as client:
            yield client
    finally:
        sys.path.remove(str(package.parent))


async def asked(client: Client, name: str, arguments: Mapping[str, Any]) -> str:
    """The text of an answer."""
    result = await client.call_tool(name, dict(arguments))
    return "\n".join(block.text for block in result.content if block.type == "text")


def listed(text: str) -> list[str]:
    """The names of the tools in an answer of `find_tools`."""
    lines = text.split("\n\n")[0].splitlines()
    return [match[1] for line in lines if (match := _NAME.match(line))]


def right_names(question: Question, operations: Mapping[str, str]) -> set[str]:
    """The names of the tools that answer a question."""
    keys = (f"{each['method']} {each['path']}" for each in question.right)
    return {operations[key] for key in keys if key in operations}


async def measure(package: Path, about: Sequence[Question]) -> Measured:
    """Ask a server everything."""
    found = Measured()
    lock = json.loads((package.parent / "mcpgen.lock").read_text())
    async with client_of(package) as client:
        tools = (await client.list_tools()).tools
        wire = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        found.own = tokens(
            [{k: tool[k] for k in ("name", "description", "inputSchema")} for tool in wire]
        )
        for question in about:
            await measure_question(client, question, lock["tools"], found)
        await measure_jobs(client, list(lock["tools"].values()), found)
    return found


async def measure_question(
    client: Client, question: Question, operations: Mapping[str, str], found: Measured
) -> None:
    """Note where the right tools are for each wording of a question."""
    ranks = {}
    for which, query in zip(("q1", "q2", "raw"), (*question.queries, question.text), strict=True):
        began = time.perf_counter()
        text = await asked(client, "find_tools", {"query": query, "limit": _LONG})
        found.seconds.append(time.perf_counter() - began)
        names = listed(text)
        wanted = right_names(question, operations)
        ranks[which] = next((place for place, n in enumerate(names) if n in wanted), _LONG)
        if not question.right and which == "q1":
            found.weak.append(text.startswith(("Nothing matches", "No tool")))
        if question.right and which == "q1":
            found.false_weak += text.startswith(("Nothing matches", "No tool")) and ranks["q1"] < 3
    if not question.right:
        return
    await measure_spent(client, question, right_names(question, operations), found)
    for which, rank in ranks.items():
        found.ranks[which].append(rank)
    found.ranks["better"].append(min(ranks["q1"], ranks["q2"]))
    if ranks["q1"]:
        found.misses.append(f"{question.queries[0]!r}: {ranks['q1'] + 1}, then {ranks['q2'] + 1}")


async def measure_spent(
    client: Client, question: Question, wanted: set[str], found: Measured
) -> None:
    """Note what it costs until the definition of the right tool is read."""
    text = await asked(client, "find_tools", {"query": question.queries[0]})
    spent = tokens_in(text)
    definition = text.partition("\n\n")[2]
    is_right = definition.partition(" ")[0] in wanted
    if definition:
        found.along.append(is_right)
    if not is_right:
        name = next((name for name in listed(text) if name in wanted), min(wanted))
        spent += tokens_in(await asked(client, "describe_tools", {"names": [name]}))
    found.spent.append(spent)


async def measure_jobs(client: Client, names: Sequence[str], found: Measured) -> None:
    """Note the tokens of finding some tools, spread over the document, and of reading of them."""
    for name in names[:: max(1, len(names) // 40)]:
        asking = {"query": " ".join(re.findall("[A-Za-z][a-z]+", name))}
        text = await asked(client, "find_tools", asking)
        described = await asked(client, "describe_tools", {"names": [name]})
        call = json.dumps({"name": name, "arguments": {}})
        if "\n\n" not in text:
            found.found.append(tokens_in(text))
        found.jobs.append(tokens_in(text) + tokens_in(described) + tokens_in(call))


def told(name: str, found: Measured) -> list[str]:
    """The lines about one server."""
    lines = []
    if found.ranks["q1"]:
        shares = (
            f"{which} " + " ".join(f"{share:5.1f}" for share in found.recall(which))
            for which in ("q1", "better", "raw")
        )
        lines.append(f"{name}: recall at 1, 3, 5, 20: {'; '.join(shares)}")
        lines += [f"    {miss}" for miss in found.misses]
    finds, jobs = found.found or [0], found.jobs
    lines.append(
        f"{name}: tokens: own tools {found.own:,}; lines {statistics.median(finds):,.0f} "
        f"(most {max(finds):,}); find, describe and call {statistics.median(jobs):,.0f} "
        f"(most {max(jobs):,})"
    )
    if found.spent:
        lines.append(
            f"{name}: find and, where needed, describe: {statistics.mean(found.spent):,.0f}"
        )
    if found.seconds:
        most = 1000 * max(found.seconds)
        lines[-1] += f"; a query {1000 * statistics.median(found.seconds):.1f} ms (most {most:.1f})"
    return lines


def failures(every: Mapping[str, Measured]) -> list[str]:
    """What misses a bar."""
    missed = []
    asked_about = [found for found in every.values() if found.ranks["q1"]]
    for which in ("q1", "better", "raw") if asked_about else ():
        shares = zip(*(found.recall(which) for found in asked_about), strict=True)
        means = [statistics.mean(share) for share in shares]
        print(f"mean of {which}: " + " ".join(f"{mean:.1f}" for mean in means))
        bars = BARS.get(which, (0,) * len(AT))
        missed += [
            f"recall of {which}: {m:.1f} %" for m, b in zip(means, bars, strict=True) if m < b
        ]
    weak = [said for found in every.values() for said in found.weak]
    false = sum(found.false_weak for found in every.values())
    print(
        f"said to be weak, of {len(weak)} that no tool answers: {sum(weak)}; of right ones: {false}"
    )
    if asked_about:
        spent = [tokens for found in asked_about for tokens in found.spent]
        along = [is_right for found in asked_about for is_right in found.along]
        mean = statistics.mean(spent)
        print(
            f"find and, where needed, describe: {mean:.0f} tokens in the mean; "
            f"definitions that came along: {len(along)}, of a wrong tool {along.count(False)}"
        )
        missed += [f"find and describe: {mean:.0f}"] if mean > SPENT else []
    for name, found in every.items():
        finds = found.found or [0]
        bars = {
            "own tools": (found.own, OWN),
            "lines, median": (statistics.median(finds), LINES),
            "lines, most": (max(finds), FIND),
            "a job, median": (statistics.median(found.jobs), ALL),
        }
        missed += [f"{name}: {what}: {is_:,}" for what, (is_, bar) in bars.items() if is_ > bar]
    return missed


def main() -> None:
    """Measure every document."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--only", action="append", help="a document's file name; repeatable")
    parser.add_argument("--keep", type=Path, help="a folder for the servers, which are used again")
    given = parser.parse_args()
    about = questions(given.folder)
    documents = given.documents or given.folder / ".." / "specs"
    scratch = given.keep or Path(tempfile.mkdtemp(prefix="mcpgen-retrieval-"))
    every: dict[str, Measured] = {}
    try:
        for source in sorted(documents.glob("*.*")):
            if source.suffix not in (".json", ".yaml", ".yml") or source.name not in (
                given.only or [source.name]
            ):
                continue
            found = measured(source, scratch, about.get(source.name, []))
            if found is not None:
                every[source.name] = found
                print("\n".join(told(source.name, found)), flush=True)
    finally:
        if given.keep is None:
            shutil.rmtree(scratch)
    missed = failures(every)
    print("\n".join(f"MISSED {line}" for line in missed) or "every bar is met")
    sys.exit(bool(missed))


def measured(source: Path, scratch: Path, about: Sequence[Question]) -> Measured | None:
    """What is measured of a document; None where it is small, and nobody asks about it."""
    folder = scratch / re.sub(r"\W", "_", source.stem).lower()
    package = next((each.parent for each in folder.glob("*/search.json")), None)
    if package is None:
        package = generated(source, folder)
    if package is None:
        return None
    count = len(json.loads((package / "search.json").read_text())["tools"])
    if count <= MANY and not about:
        return None
    return asyncio.run(measure(package, about))


if __name__ == "__main__":
    main()
