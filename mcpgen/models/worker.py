"""Running datamodel-code-generator in this process, or in a worker while the caller goes on."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping
from contextlib import suppress

from .. import background
from ..background import Background
from ..diagnostics import Diagnostics
from ..lifting.simple import Simple, references
from ..scratch import nameless_file
from .text import Definition

DOCUMENT_SIZE = 100_000
"""From so many characters of a document on, a process of its own is worth it."""

REF = "#/components/schemas/"

Schemas = Mapping[str, Simple]
_FIRST: Schemas = {"First": {"type": "object", "properties": {"a": {"type": "string"}}}}
"""With the first schemas that it is given the generator loads most of itself."""
Written = tuple[list[Definition], dict[str, str]]
"""The types, and why schemas have none, by their names."""


class Worker:
    """A process that imports the generator, which is slow, and then waits for schemas."""

    def __init__(self) -> None:
        self._schemas: Schemas | None = None
        # A pipe would take no more than its reader has time for.
        self._asked = nameless_file()
        self._receiver, self._sender = os.pipe()
        self._work = Background(self._run)
        os.close(self._receiver)

    def ask(self, schemas: Schemas) -> None:
        """Start writing the types of some schemas."""
        self._schemas = schemas
        with suppress(OSError, RecursionError):  # it comes to no end, then
            pickle.dump(schemas, self._asked, pickle.HIGHEST_PROTOCOL)
            self._asked.flush()
            os.write(self._sender, b"\n")
        os.close(self._sender)

    def answer(self) -> Written:
        """The result of the run; it is repeated in this process if the worker died."""
        with self._asked:
            return self._work.result()

    def close(self) -> None:
        """Stop the process if nothing was asked of it."""
        os.close(self._sender)
        self._asked.close()

    def _run(self) -> Written:
        if self._schemas is not None:  # not in that process
            return _run(self._schemas)
        os.close(self._sender)
        from .run import run

        run(_FIRST)
        if not os.read(self._receiver, 1):
            raise EOFError
        self._asked.seek(0)
        return run(pickle.load(self._asked))


def worker_for(document_size: int) -> Worker | None:
    """A worker, started before the schemas are known, if the document is likely to need one.

    None too where processes cannot be forked, or there is one core, or no place for schemas.
    """
    with suppress(OSError):
        return Worker() if document_size > DOCUMENT_SIZE and background.pays() else None
    return None


class Generation:
    """A run of the generator, started when this is made."""

    def __init__(
        self, schemas: Schemas, diagnostics: Diagnostics | None, worker: Worker | None = None
    ) -> None:
        self.failed: set[str] = set()
        """Schemas that could not be written, as far as is known."""
        self._diagnostics = Diagnostics() if diagnostics is None else diagnostics
        self._schemas = schemas
        self._worker = worker if schemas else None
        if self._worker is not None:
            self._worker.ask(schemas)
        elif worker is not None:
            worker.close()

    def definitions(self) -> Iterator[Definition]:
        """What the run wrote; waits for it, and reports what could not be written."""
        definitions, failed = self._worker.answer() if self._worker else _run(self._schemas)
        self.failed |= failed.keys()
        for name, reason in failed.items():
            self._diagnostics.warning(
                "model-not-written",
                f"no Python type for the schema {name}: {reason}",
                hint="Its type is Any; what is sent and answered stays the same.",
            )
        yield from definitions


def dependencies_first(schemas: Schemas) -> Schemas:
    """The schemas, each after those it refers to: the generator's time is quadratic otherwise."""
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
    """The names that some schemas refer to and that are not among them."""
    found = (name for schema in schemas.values() for name in _names(schema))
    return [name for name in dict.fromkeys(found) if name not in schemas]


def _names(schema: Simple) -> Iterator[str]:
    return (name.removeprefix(REF) for name, _ in references(schema))


def _run(schemas: Schemas) -> Written:
    if not schemas:
        return [], {}
    from .run import run  # heavy, and of no use where a worker does it

    return run(schemas)
