"""Running datamodel-code-generator in this process, or in a worker that runs in parallel."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from ..diagnostics import Diagnostics
from ..lifting.simple import Simple
from ..processes import background
from ..processes.background import Background
from ..processes.temporary_files import nameless_file
from .module_text import Definition

if TYPE_CHECKING:
    from .codegen import Written

Schemas = Mapping[str, Simple]
_FIRST: Schemas = {"First": {"type": "object", "properties": {"a": {"type": "string"}}}}
"""With the first schemas that it is given the generator loads most of itself."""


class Worker:
    """A process that imports the slow generator, and then waits for schemas."""

    def __init__(self) -> None:
        self._schemas: Schemas | None = None
        # A pipe would take no more than its reader has time for.
        self._asked = nameless_file()
        self._receiver, self._sender = os.pipe()
        self._work = Background(self._run)
        os.close(self._receiver)

    @classmethod
    def start(cls) -> Self | None:
        """A worker, started before the schemas are known.

        None if a second process does not help (`background.pays`), or if no temporary file can be
        created.
        """
        with suppress(OSError):
            return cls() if background.pays() else None
        return None

    def ask(self, schemas: Schemas) -> None:
        """Start writing the types of some schemas."""
        self._schemas = schemas
        with suppress(OSError, RecursionError):  # it comes to no end, then
            pickle.dump(schemas, self._asked, pickle.HIGHEST_PROTOCOL)
            self._asked.flush()
            os.write(self._sender, b"\n")
        os.close(self._sender)

    def answer(self) -> Written:
        """The types that the worker wrote; if it has died, they are written in this process."""
        with self._asked:
            return self._work.result()

    def close(self) -> None:
        """Stop the process if it got no work."""
        os.close(self._sender)
        self._asked.close()

    def _run(self) -> Written:
        if self._schemas is not None:  # not in that process
            return _run(self._schemas)
        os.close(self._sender)
        from .codegen import run

        run(_FIRST)
        if not os.read(self._receiver, 1):
            raise EOFError
        self._asked.seek(0)
        return run(pickle.load(self._asked))


class Generation:
    """A run of the generator, which starts when the object is created."""

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
        """Wait for the generator and yield its definitions; schemas that failed are reported."""
        definitions, failed = self._worker.answer() if self._worker else _run(self._schemas)
        self.failed |= failed.keys()
        for name, reason in failed.items():
            self._diagnostics.warning(
                "model-not-written",
                f"no Python type for the schema {name}: {reason}",
                hint="Its type is Any; requests and answers stay the same.",
            )
        yield from definitions


def _run(schemas: Schemas) -> Written:
    if not schemas:
        return [], {}
    from .codegen import run  # heavy, and of no use where a worker does it

    return run(schemas)
