"""Arguments that the server's operator sets in environment variables; agents never see them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..values.arguments import UNSET
from ..values.environment import HIDDEN, is_placeholder
from ..values.errors import ToolError
from ..values.jsontext import NotJson, parse


def from_env(name: str, *, required: bool = False, parsed: bool = False) -> Any:
    """The value of an environment variable; UNSET if it is empty.

    `parsed`: the value is JSON, otherwise text.

    Raises:
        ToolError: the variable is required and empty, is a placeholder, or is not JSON.
    """
    text = os.environ.get(name, "")
    if is_placeholder(text) or (required and not text):  # unset, it would open what it is to fix
        raise ToolError(f"This server is not set up: its environment variable {name} has no value.")
    if not text:
        return UNSET
    value = _parsed(name, text) if parsed else text
    HIDDEN.update(dict.fromkeys(_texts(value), name))
    return value


def _texts(value: Any) -> Iterator[str]:
    """The texts and numbers in a value, as texts."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
    elif not (value is None or isinstance(value, bool)):
        yield str(value)


def _parsed(name: str, text: str) -> Any:
    try:
        return parse(text).value
    except NotJson:
        message = f"This server is not set up: its environment variable {name} is not JSON."
        raise ToolError(message) from None
