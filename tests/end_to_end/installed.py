"""The runtime as a package of this process: a server that need not hold it imports far less."""

from __future__ import annotations

import sys

import runtime_package

PACKAGE = ("--runtime", "package")
"""The options of a server that depends on it."""


def with_package() -> tuple[str, ...]:
    """`PACKAGE`, where the package can be imported from now on."""
    if runtime_package.folder() not in sys.path:
        sys.path.append(runtime_package.folder())
    return PACKAGE
