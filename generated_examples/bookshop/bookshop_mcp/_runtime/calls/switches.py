"""Switches with which an operator or a client turns tools off, by their effect, name or group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ..values.settings import GROUPS

_ALL = "all"
"""A group that has every tool."""
_OFF = "!"
"""What stands before a pattern whose tools are taken away."""
_MAX_NAMES = 5


def groups_of(tool: Mapping[str, Any]) -> tuple[str, ...]:
    """The slugs of a tool's groups."""
    groups = (tool.get("_meta") or {}).get(GROUPS, ())
    return tuple(each for each in groups if isinstance(each, str))


@dataclass(frozen=True)
class Switches:
    """The switches of one source, such as the environment; a tool is on only if all leave it on."""

    read_only: bool = False
    only: tuple[str, ...] = ()
    """Names, groups and globs of either, which add up; `!` before one takes it away."""

    def __bool__(self) -> bool:
        return self.read_only or bool(self.only)

    def leave(self, tool: Mapping[str, Any]) -> bool:
        """Whether the switches leave a tool on."""
        reads = (tool.get("annotations") or {}).get("readOnlyHint") is True
        return (reads or not self.read_only) and self._has([tool["name"], *groups_of(tool)])

    def leave_group(self, groups: Sequence[str]) -> bool:
        """Whether a prompt or skill in these groups stays on; always true if it is in no group."""
        return not groups or any(self._has([group]) for group in groups)

    def _has(self, names: Sequence[str]) -> bool:
        wanted, unwanted = self._sides()
        every = [*names, _ALL]
        return (not wanted or _any(every, wanted)) and not _any(names, unwanted)

    def _sides(self) -> tuple[list[str], list[str]]:
        wanted = [each for each in self.only if not each.startswith(_OFF)]
        return wanted, [each.removeprefix(_OFF) for each in self.only if each.startswith(_OFF)]

    def unknown(self, tools: Iterable[Mapping[str, Any]], groups: Iterable[str]) -> Iterator[str]:
        """A problem for each pattern that matches no tool and no group, with similar names."""
        from difflib import get_close_matches

        names = {name for tool in tools for name in (tool["name"], *groups_of(tool))}
        names |= {_ALL, *groups}
        for each in self.only:
            pattern = each.removeprefix(_OFF)
            if not _any(names, [pattern]):
                like = get_close_matches(pattern, sorted(names), _MAX_NAMES, 0.6)
                told = f"did you mean {' or '.join(f'`{name}`' for name in like)}?" if like else ""
                yield f"no tool or group is called `{pattern}`" + (told and f": {told}")

    @property
    def said(self) -> str:
        """A sentence for agents about switched-off tools, which does not name the tools."""
        wanted, unwanted = self._sides()
        listed = ", ".join(f"`{each}`" for each in wanted[:_MAX_NAMES])
        more = f" and {len(wanted) - _MAX_NAMES} more" if len(wanted) > _MAX_NAMES else ""
        parts = (
            "tools that write" if self.read_only else "",
            f"all but {listed}{more}" if wanted else "",
            "some tools by name" if unwanted else "",
        )
        return f"Switched off here: {'; '.join(filter(None, parts))}." if self else ""


def _any(names: Iterable[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
