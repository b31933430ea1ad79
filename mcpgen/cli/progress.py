"""Progress on a terminal, for work that takes longer than a second; logs get none."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from ..diagnostics import printable

if TYPE_CHECKING:
    from rich.progress import Progress as Display

T = TypeVar("T")

PATIENCE = 1.0


class Progress:
    """Shows each stage when called with its name, once the work has taken a second.

    The display is removed when the `with` block ends. It is drawn at each stage and not by a
    thread, since the work forks.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._display: Display | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None

    def __call__(self, stage: str, done: int = 0, of: int | None = None) -> None:
        """Show the current stage, but only after the run has taken a second."""
        elapsed = time.monotonic() - self._started
        if elapsed <= PATIENCE or not sys.stderr.isatty():
            return
        if self._display is None:
            self._display = _display()
        description = f"{printable(stage)} ({elapsed:.0f} s)"
        (task,) = self._display.task_ids
        self._display.update(task, description=description, completed=done, total=of, refresh=True)

    def each(self, results: Iterable[T], of: Sequence[object]) -> Iterator[T]:
        """Yield each result as it arrives; if there are several, show progress with the names."""
        for done, (result, source) in enumerate(zip(results, of, strict=True), 1):
            if len(of) > 1:
                self(f"{done} of {len(of)}, {source}", done, len(of))
            yield result


def _display() -> Display:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Display

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}", markup=False))
    console = Console(file=sys.stderr, highlight=False)
    display = Display(
        *columns,
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    display.add_task("", total=None)
    display.start()
    return display
