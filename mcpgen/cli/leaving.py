"""The end of the process, without freeing what a large run has made: that takes a while."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn


def leave(end: SystemExit) -> NoReturn:
    """End the process as `end` would; raises it where that is more than a number."""
    if not isinstance(end.code, int | None):
        raise end
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        raise end from None
    os._exit(end.code or 0)
