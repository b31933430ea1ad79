"""Environment variables of a server that are gone or renamed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

FILES = (".env.example", "DEPLOY.md")
"""The files that list a server's variables; once the first listed all of them."""
_VARIABLE = re.compile(r"(?:# )?(\w+)(?:=| is unset by default\.$)")
"""A variable in the first file, or in the second as older versions wrote it."""
_ROW = re.compile(r"\| `(\w+)` \| .*? \| (.*) \|$")
"""A row of a table whose first column is `variable`: the name and the description."""
_WHOSE = re.compile(r"\b[Ff]or `[^`]*`")
"""The further source that a variable is for; its name may have changed."""


def lost(there: Iterable[str], new: Iterable[str]) -> str:
    """A message about variables that are in the old lines but not in the new ones; else empty.

    If there are several, each has a line.
    """
    before, now = _described(there), _described(new)
    came = {name: text for name, text in now.items() if name not in before}
    gone = [_describe(name, text, came) for name, text in before.items() if name not in now]
    if len(gone) < 2:
        return f"the variable {gone[0]}" if gone else ""
    return "\n    ".join(["variables of the server have changed:", *gone])


def _describe(name: str, description: str, came: dict[str, str]) -> str:
    same = [new for new, text in came.items() if text == description]
    role = "_".join(name.split("_")[-2:])
    alike = [new for new in came if new.endswith(f"_{role}")]
    names = next((each for each in (same, alike) if len(each) == 1), None)
    names = names or difflib.get_close_matches(name, came, 1, 0.9)
    return f"`{name}` is `{names[0]}` now" if names else f"`{name}` is not read any more"


def _described(lines: Iterable[str]) -> dict[str, str]:
    """The variables, each with the description in its row or on the line above."""
    descriptions: dict[str, str] = {}
    above = ""
    is_listed = False
    for line in lines:
        is_listed = line.startswith("| variable |") or (is_listed and line.startswith("|"))
        if match := _VARIABLE.match(line):
            descriptions[match[1]] = _WHOSE.sub("for", above)
        elif is_listed and (match := _ROW.match(line)):
            descriptions[match[1]] = _WHOSE.sub("for", match[2])
        above = line
    return descriptions
