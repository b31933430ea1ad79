"""Where datamodel-code-generator runs: here, or in a process while the caller goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostics
from ..lifting.simple import Simple, references
from .text import Definition

if TYPE_CHECKING:
    from concurrent.futures import Future

DOCUMENT_SIZE = 100_000
"""From so many characters of a document on, a process of its own is worth it."""

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

    def ask(self, schemas: Schemas) -> None:
        """Start writing the types of some schemas."""
        from concurrent.futures import ThreadPoolExecutor  # of no use to most updates

        data = json.dumps(schemas).encode() + b"\n"
        pool = ThreadPoolExecutor(1)
        self._answer = pool.submit(self._process.communicate, data)
        pool.shutdown(wait=False)

    def answer(self) -> _Answer | None:
        """What came of it, or None where the process did not come to an end."""
        output = self._answer.result()[0] if self._answer is not None else b""
        if self._process.returncode or not output:
            return None
        done = json.loads(output)
        return [_definition(each) for each in done["definitions"]], done["failed"]

    def close(self) -> None:
        """Let the process go: there is nothing to ask."""
        self._process.kill()
        self._process.communicate()


def worker_for(document_size: int) -> Worker | None:
    """A worker, started before the schemas are known, where a document is likely to need one."""
    many_cores = (os.cpu_count() or 1) > 1
    return Worker() if many_cores and document_size > DOCUMENT_SIZE else None


class Generation:
    """The generator's run over schemas, dependencies first, started when this is made."""

    def __init__(
        self, schemas: Schemas, diagnostics: Diagnostics | None, worker: Worker | None = None
    ) -> None:
        self.failed: set[str] = set()
        """Schemas that could not be written, as far as is known."""
        self._diagnostics = Diagnostics() if diagnostics is None else diagnostics
        self._schemas = schemas
        self._worker = worker
        if worker is not None and schemas:
            worker.ask(schemas)
        elif worker is not None:
            worker.close()

    def definitions(self) -> Iterator[Definition]:
        """What the run wrote; waits for it, and reports what could not be written."""
        answer = self._worker.answer() if self._worker is not None else None
        definitions, failed = answer or _run_here(self._schemas)
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


def _run_here(schemas: Schemas) -> _Answer:
    if not schemas:
        return [], {}
    from .run import run  # heavy, and of no use where a worker does it

    done = run(schemas)
    return done.definitions, done.failed


def _definition(fields: Mapping[str, Any]) -> Definition:
    names = {key: frozenset(fields[key]) for key in ("typing", "uses", "eager", "noqa")}
    return Definition(**{**fields, **names})
