"""Progress on stderr, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from .output import print_lines

T = TypeVar("T")

PATIENCE = 1.0


class Progress:
    """Call it with the name of each stage; stages are shown once the work has taken a second."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def __call__(self, stage: str) -> None:
        """Show the stage that begins, if the run has taken long."""
        elapsed = time.monotonic() - self._started
        if elapsed > PATIENCE:
            print_lines([f"mcpgen: {stage} ({elapsed:.0f} s)"], sys.stderr)

    def each(self, results: Iterable[T], of: Sequence[object]) -> Iterator[T]:
        """The results as they come; if there are several, it shows what each is of."""
        for done, (result, source) in enumerate(zip(results, of, strict=True), 1):
            if len(of) > 1:
                self(f"{done} of {len(of)}, {source}")
            yield result
