"""The parts of a tool's definition that are shown when its arguments are refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from . import signatures

_MENDING = ("did you mean", "must be one of", "belongs in")
"""What a line of a refusal says that needs nothing beside it."""
_HEAD = "These arguments cannot be used"
_PLACE = re.compile(r"(?:- |Argument )`([^`]+)`")
_INDEX = re.compile(r"\[\d+\]")
_LAST = re.compile(r"\.[^.\[\]]+$|\[[^\[\]]*\]$")
_MOST = 600
"""Tokens."""


def hint(tool: Mapping[str, Any], effect: str, refusal: Mapping[str, Any]) -> str:
    """The definition of the arguments that were refused; empty if the refusal suffices.

    If a refused name is not an argument of the tool, the agent guessed: the complete tool is
    described. If the definition is only a type, the refusal suffices, since it names the type.
    """
    lines = "\n".join(block.get("text", "") for block in refusal["content"]).splitlines()
    open_lines = [
        line
        for line in lines
        if line.strip() and not line.startswith(_HEAD) and not any(w in line for w in _MENDING)
    ]
    if not open_lines:
        return ""
    matches = [_PLACE.match(line) for line in open_lines]
    paths = {_told_at(tool, _INDEX.sub("[]", match[1])) if match else "" for match in matches}
    if "" not in paths:
        within = tuple(f"{path}{mark}" for path in paths for mark in ".[")
        outer = sorted(path for path in paths if not path.startswith(within))
        parts = [signatures.described(tool, effect, _MOST, path=path) for path in outer]
        text = "\n".join(part for part in parts if "//" in part or "{" in part)
        if signatures.tokens_in(text) <= _MOST:
            return text
    return signatures.described(tool, effect, _MOST)


def _told_at(tool: Mapping[str, Any], path: str) -> str:
    """The nearest path to `path` that exists in the tool's inputSchema; empty if there is none."""
    while path:
        try:
            signatures.at_path(tool["inputSchema"], path)
        except ValueError:
            shorter = _LAST.sub("", path)
            path = shorter if shorter != path else ""
        else:
            return path
    return ""
