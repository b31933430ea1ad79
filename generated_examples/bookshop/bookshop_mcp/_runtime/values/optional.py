"""Modules of the runtime that only those servers have whose document needs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import ToolError


def optional(name: str) -> Any:
    """The module at a place in the runtime, such as `values.forms`.

    Raises:
        ToolError: the server was generated without it.
    """
    try:
        return import_module(f"..{name}", __package__)
    except ModuleNotFoundError:
        raise ToolError(
            f"This server was generated without `{name}`, since its document needs none. "
            "`mcpgen update` adds it where a handler does."
        ) from None
