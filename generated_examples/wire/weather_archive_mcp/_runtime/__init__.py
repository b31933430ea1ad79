"""The runtime of this server: the package `mcpgen-runtime`, whose names load on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen_runtime import *  # noqa: F403
else:
    import sys
    from importlib import import_module
    from importlib.metadata import PackageNotFoundError, version

    __version__ = "0.1.0"  # the version of mcpgen that wrote this
    REQUIREMENT = "mcpgen-runtime>=0.1,<0.2"

    def __getattr__(name: str) -> object:
        value = getattr(runtime(), name)
        globals()[name] = value
        return value

    def runtime() -> object:
        """The package; if it is missing or has another version, the process ends with a message."""
        try:
            installed = version("mcpgen-runtime")
        except PackageNotFoundError:
            sys.exit(f"{REQUIREMENT} is not installed. Run: pip install '{REQUIREMENT}'")
        if not installed.startswith("0.1."):
            sys.exit(f"mcpgen-runtime {installed} is installed. Run: pip install '{REQUIREMENT}'")
        return import_module("mcpgen_runtime")
