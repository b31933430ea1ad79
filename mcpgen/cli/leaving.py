"""The end of the process, without freeing what a large run has made: that takes a while."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper


def run(work: Callable[[], None]) -> None:
    """Run a command line and end the process; output that cannot be written is an error.

    What the encoding of the output does not have is escaped.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    gc.disable()  # it would look in vain through what is not freed either
    code: int | str | None = 0
    try:
        work()
    except SystemExit as end:
        code = end.code
    except OSError as error:
        code = str(error)
    if not isinstance(code, int | None):
        print(f"mcpgen: {code}", file=sys.stderr)
        code = 1
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 1
    os._exit(code or 0)
