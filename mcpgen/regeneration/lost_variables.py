"""Environment variables that a server read before, and no longer reads."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

FILE_NAME = ".env.example"
_VARIABLE = re.compile(r"(?:# )?(\w+)(?:=| is unset by default\.$)")
"""The second, as the file was written before."""
_WHOSE = re.compile(r"\b[Ff]or `[^`]*`")
"""The further source that a variable is for, which may have got another name."""


def lost(there: Iterable[str], new: Iterable[str]) -> str:
    """A message on the variables in the generated lines there that the new ones lack, if any."""
    before, now = _described(there), _described(new)
    came = {name: text for name, text in now.items() if name not in before}
    gone = [_describe(name, text, came) for name, text in before.items() if name not in now]
    return f"the server no longer reads {', '.join(gone)}" if gone else ""


def _describe(name: str, description: str, came: dict[str, str]) -> str:
    same = [new for new, text in came.items() if text == description]
    names = same if len(same) == 1 else difflib.get_close_matches(name, came, 1, 0.9)
    return f"`{name}` (it is `{names[0]}` now)" if names else f"`{name}`"


def _described(lines: Iterable[str]) -> dict[str, str]:
    """The variables, each with what the line above it says of it, whatever source it is for."""
    descriptions: dict[str, str] = {}
    above = ""
    for line in lines:
        if match := _VARIABLE.match(line):
            descriptions[match[1]] = _WHOSE.sub("for", above)
        above = line
    return descriptions
