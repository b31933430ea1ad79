"""Arguments that the server's owner sets in environment variables; agents never see them."""

from __future__ import annotations

import os
from typing import Any

from ..values.arguments import UNSET
from ..values.environment import is_placeholder
from ..values.errors import ToolError
from ..values.jsontext import NotJson, parse


def from_env(name: str, *, required: bool = False, parsed: bool = False) -> Any:
    """The value of an environment variable; UNSET where it is empty.

    `parsed`: it is JSON, else text.

    Raises:
        ToolError: it is required and empty, a placeholder, or not JSON.
    """
    text = os.environ.get(name, "")
    if is_placeholder(text) or (required and not text):  # unset, it would open what it is to fix
        raise ToolError(f"This server is not set up: its environment variable {name} has no value.")
    if not text:
        return UNSET
    if not parsed:
        return text
    try:
        return parse(text).value
    except NotJson:
        message = f"This server is not set up: its environment variable {name} is not JSON."
        raise ToolError(message) from None
