"""Commands timed: by the clock, and by what all their processes used of the processors."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Taken:
    """What a command took; the less, the sooner it ended."""

    seconds: float
    processor: float

    def ratio(self, peer: Taken) -> str:
        """How it compares to a peer."""
        by_clock, by_use = self.seconds / peer.seconds, self.processor / peer.processor
        return f"x{by_clock:.2f} (processor x{by_use:.2f})"

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s"


def timed(command: Sequence[str | Path], *, allowed: Sequence[int] = (0,)) -> Taken:
    """Run a command to its end; raises RuntimeError with its errors where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in allowed:
        raise RuntimeError(f"{command[0]} failed: {done.stderr[-2000:]}")
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Taken(seconds, used)


def largest_process() -> float:
    """MiB of the largest process so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
