"""Progress on stderr, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self("done" if error is None else "stopped")
