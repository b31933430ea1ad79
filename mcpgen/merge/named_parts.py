"""The parts that a `server.py` names: the list `parts` of its `App`, and their imports.

The list is merged as a set, separately from the statement that contains it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from msgspec import Struct

_IMPORT = re.compile(r"^from \._runtime import (\([^)]*\)|[^\n#]*)\n", re.MULTILINE)
_EARLIER = "features"
"""The list's name before parts had modules: its items were texts."""
_LIST = "parts"
_LINE_LENGTH = 100


class Named(Struct, frozen=True):
    """The parts that a module lists, and where the list is in the module's text."""

    names: tuple[str, ...]
    line: int
    start: int
    """Where the argument begins in the text, and where it ends; the same where there is none."""
    end: int
    is_earlier: bool = False
    """It is of a server that was generated before parts had modules."""


def find(text: str) -> Named | None:
    """The list of parts in a module's `App` call; empty without a list, None if unreadable."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    call = next((c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "App"), None)
    if call is None or not call.keywords or call.args:
        return None
    place = _Places(text)
    for keyword in call.keywords:
        if keyword.arg in (_LIST, _EARLIER):
            names = _names(keyword.value)
            ends = keyword.value.end_lineno, keyword.value.end_col_offset
            start, end = place(keyword.lineno, keyword.col_offset), place(*ends)
            if names is None:
                return None
            return Named(names, keyword.lineno, start, end, keyword.arg == _EARLIER)
    last = call.keywords[-1].value
    end = place(last.end_lineno, last.end_col_offset)
    return Named((), call.lineno, end, end, True)


def names_in(text: str) -> tuple[str, ...]:
    """The names in a module's list of parts."""
    there = find(text)
    return there.names if there else ()


def _names(value: ast.expr) -> tuple[str, ...] | None:
    if not isinstance(value, (ast.List, ast.Tuple)):
        return None
    names: list[str] = []
    for item in value.elts:
        match item:
            case ast.Name(name) | ast.Constant(str(name)):
                names.append(name)
            case _:
                return None
    return tuple(names)


class _Places:
    """Turns the line and column of a syntax node of Python's parser into an offset in the text."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._starts = [0, *accumulate(map(len, self._lines))]

    def __call__(self, line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        before = self._lines[line - 1].encode()[:column].decode(errors="ignore")
        return self._starts[line - 1] + len(before)


def naming(text: str, names: Sequence[str], known: Collection[str]) -> str:
    """The module text, rewritten to list the parts `names`.

    Imports of all other `known` parts are removed.
    """
    there = find(text)
    return (
        text if there is None else _import(_with_list(text, there, _written(names)), names, known)
    )


def _written(names: Sequence[str]) -> str:
    if not names:
        return ""
    line = f"{_LIST}=[{', '.join(names)}]"
    if len(f"    {line},") <= _LINE_LENGTH:
        return line
    return f"{_LIST}=[\n{''.join(f'        {name},{chr(10)}' for name in names)}    ]"


def _with_list(text: str, there: Named, written: str) -> str:
    """The text with `written` as the list of parts; an empty `written` removes the argument."""
    before, after = text[: there.start], text[there.end :]
    if there.start == there.end and written:
        return f"{before},\n    {written}{after}"
    if not written:
        return before.rstrip().removesuffix(",") + after
    return before + written + after


def _import(text: str, names: Sequence[str], known: Collection[str]) -> str:
    match = _IMPORT.search(text)
    if match is None:
        return text
    written = re.findall(r"\w+(?: as \w+)?", match[1])
    kept = [each for each in written if each not in known or each in names]
    every = sorted({*kept, *(name for name in names if name in known)}, key=_as_sorted)
    line = f"from ._runtime import {', '.join(every)}\n"
    if len(line) > _LINE_LENGTH + 1:
        line = f"from ._runtime import (\n{''.join(f'    {each},{chr(10)}' for each in every)})\n"
    return text[: match.start()] + line + text[match.end() :]


def _as_sorted(name: str) -> tuple[int, str]:
    """The sort key of imported names: constants, then classes, then all others."""
    first = name.partition(" ")[0]
    return (0 if first.isupper() else 1 if first[:1].isupper() else 2), first


class Aligned(Struct, frozen=True):
    """Two texts of a file that are ready to merge, because both have the same list of parts.

    After the merge, `finish` puts in the merged list.
    """

    there: str
    new: str
    names: tuple[str, ...]
    known: tuple[str, ...]

    def finish(self, merged: str) -> str:
        """The merged text, with the merged list of parts inserted."""
        return naming(merged, self.names, self.known)


def align(there: str, new: str, old: Iterable[str], known: Sequence[str]) -> Aligned | None:
    """Both texts with the same list of parts in each, and the list for the merged text.

    None if one of the texts has no list that can be read.
    """
    own, offered = find(there), find(new)
    if own is None or offered is None:
        return None
    before = tuple(old)
    if own.is_earlier:
        written = there[own.start : own.end]
        same = _import(_with_list(new, offered, written), (), known)
        return Aligned(there, same, offered.names, tuple(known))
    taken = {*before} - {*own.names}
    added = [name for name in own.names if name not in before and name not in offered.names]
    merged = {*offered.names, *added} - (taken & {*offered.names})
    names = (*(n for n in known if n in merged), *(n for n in added if n not in known))
    return Aligned(naming(there, before, known), naming(new, before, known), names, tuple(known))
