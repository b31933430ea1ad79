"""Progress on stderr, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 1.0


class Progress:
    """Call it with the name of each stage; stages are shown once the work has taken a second."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __call__(self, stage: str) -> None:
        elapsed = time.monotonic() - self._started
        if elapsed > PATIENCE:
            print(f"mcpgen: {stage} ({elapsed:.0f} s)", file=sys.stderr, flush=True)

    def each(self, results: Iterable[T], number: int) -> Iterator[T]:
        """The results as they come, counted where there are several."""
        for done, result in enumerate(results, 1):
            if number > 1:
                self(f"{done} of {number}")
            yield result

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self("done" if error is None else "stopped")
