"""Where datamodel-code-generator runs: here, or in processes that work while the caller goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..diagnostics import Diagnostics
from ..lifting.simple import Simple, references
from .text import Definition

PROCESS_BYTES = 50_000
"""More schema text than this is worth a process of its own."""
DOCUMENT_SIZE = 400_000
"""A document of so many characters is likely to hold as much."""

REF = "#/components/schemas/"

Schemas = Mapping[str, Simple]
_Answer = tuple[list[Definition], dict[str, str]]


class Worker:
    """A process that loads the generator, which takes a while, and then waits for schemas.

    It imports this very package, and nothing from the current folder.
    """

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.run"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        weakref.finalize(self._process, self._process.kill)
        self._answer: Future[tuple[bytes, bytes]] | None = None

    def ask(self, sets: Sequence[Schemas]) -> None:
        """Start writing the types of some sets of schemas, each in a process."""
        data = json.dumps(sets).encode() + b"\n"
        pool = ThreadPoolExecutor(1)
        self._answer = pool.submit(self._process.communicate, data)
        pool.shutdown(wait=False)

    def answer(self) -> list[_Answer] | None:
        """What came of each set, or None where the process did not come to an end."""
        output = self._answer.result()[0] if self._answer is not None else b""
        if self._process.returncode or not output:
            return None
        return [
            ([_definition(each) for each in done["definitions"]], done["failed"])
            for done in json.loads(output)
        ]

    def close(self) -> None:
        """Let the process go: there is nothing to ask."""
        self._process.kill()
        self._process.communicate()


def worker_for(document_size: int) -> Worker | None:
    """A worker, started before the schemas are known, where a document is likely to need one."""
    many_cores = (os.cpu_count() or 1) > 1
    return Worker() if many_cores and document_size > DOCUMENT_SIZE else None


class Runs:
    """The generator's runs over schemas, dependencies first, started when this is made."""

    def __init__(
        self,
        schemas: Schemas,
        diagnostics: Diagnostics | None,
        workers: int | None,
        worker: Worker | None = None,
    ) -> None:
        self.failed: set[str] = set()
        """Schemas that could not be written, as far as is known."""
        self._diagnostics = Diagnostics() if diagnostics is None else diagnostics
        sizes = {name: len(json.dumps(schema)) for name, schema in schemas.items()}
        most = min(2, os.cpu_count() or 1) if workers is None else workers
        count = max(1, min(most, sum(sizes.values()) // PROCESS_BYTES))
        self._sets = [{n: schemas[n] for n in names} for names in balanced(sizes, count)]
        self._worker = worker or (Worker() if count > 1 else None)
        if self._worker is not None and schemas:
            self._worker.ask(self._sets)
        elif self._worker is not None:
            self._worker.close()

    def definitions(self) -> Iterator[Definition]:
        """What the runs wrote; waits for them, and reports what could not be written."""
        answers = self._worker.answer() if self._worker is not None else None
        for definitions, failed in answers or map(_run_here, self._sets):
            self.failed |= failed.keys()
            for name, reason in failed.items():
                self._diagnostics.warning(
                    "model-not-written",
                    f"no Python type for the schema {name}: {reason}",
                    hint="its type is Any; what is sent and answered stays the same",
                )
            yield from definitions


def dependencies_first(schemas: Schemas) -> Schemas:
    """The schemas with each after those it refers to: the generator is quadratic in what is not."""
    ordered: dict[str, Simple] = {}
    seen: set[str] = set()
    for start in schemas:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, _names(schemas[start]))]
        while stack:
            name, rest = stack[-1]
            for following in rest:
                if following not in seen:
                    seen.add(following)
                    stack.append((following, _names(schemas[following])))
                    break
            else:
                ordered[name] = schemas[name]
                stack.pop()
    return ordered


def outside(schemas: Schemas) -> list[str]:
    """The names that some schemas refer to and are not among them."""
    found = (name for schema in schemas.values() for name in _names(schema))
    return [name for name in dict.fromkeys(found) if name not in schemas]


def _names(schema: Simple) -> Iterator[str]:
    return (name.removeprefix(REF) for name, _ in references(schema))


def balanced(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Consecutive names in `count` groups of about one size: neighbours refer to each other."""
    groups: list[list[str]] = [[] for _ in range(count)]
    total, before = sum(sizes.values()) or 1, 0
    for name, size in sizes.items():
        groups[min((before + size // 2) * count // total, count - 1)].append(name)
        before += size
    return groups


def _run_here(schemas: Schemas) -> _Answer:
    if not schemas:
        return [], {}
    from .run import run  # heavy, and of no use where workers do it

    done = run(schemas)
    return done.definitions, done.failed


def _definition(fields: Mapping[str, Any]) -> Definition:
    names = {key: frozenset(fields[key]) for key in ("typing", "uses", "eager", "noqa")}
    return Definition(**{**fields, **names})
