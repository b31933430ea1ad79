"""Finding what was given another name by its content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def renamed(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The new names of what is gone, from the contents by name before and now.

    A new name is that of something gone if both have the same content, and nothing else that is
    gone or new has it. What has an empty content is not found.
    """
    gone = {name: content for name, content in before.items() if name not in now}
    came = {name: content for name, content in now.items() if name not in before}
    times_gone, times_come = Counter(gone.values()), Counter(came.values())
    names = {content: name for name, content in came.items()}
    return {
        name: names[content]
        for name, content in gone.items()
        if content and times_gone[content] == times_come[content] == 1
    }
