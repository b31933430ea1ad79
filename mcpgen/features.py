"""Parts of the runtime that are copied only into servers that use them.

A feature is named after the module of the runtime that `App` installs for it.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

MODULES: dict[str, tuple[str, ...]] = {}
"""The modules of each feature; one that several name is copied for any of them."""


def is_needed(path: str, features: Collection[str]) -> bool:
    """Whether a server with these features has the runtime's file at `path`."""
    module = PurePosixPath(path).with_suffix("").as_posix()
    owners = [name for name, modules in MODULES.items() if module in modules]
    return not owners or any(name in features for name in owners)
