"""Parses only the path items that have changed since an earlier text.

Changed lines that consist of whole members of `paths` can be parsed as an object of their own, and
the text before and after them still means the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from ..sameness import shared_end, shared_start
from .json_places import outline_of
from .limits import Limits, ParseProblem
from .parse_json import parse_json
from .parsed import HEADS, Format, Outline, Parsed

_BLANKS = " \t\r\n"
"""JSON's."""
_BOUNDARY = re.compile(r"^(?:---|\.\.\.)(?:\s|\Z)", re.MULTILINE)
"""What ends a YAML document wherever it stands."""


def outlined(parsed: Parsed) -> Parsed:
    """The parsed text with its outline; that of JSON is only computed when it is needed."""
    if parsed.format == "yaml" or parsed.outline is not None:
        return parsed
    return replace(parsed, outline=outline_of(parsed.text, parsed.value))


def parse_again(before: Parsed, text: str, limits: Limits) -> Parsed | None:
    """Parse a text that differs from `before` only in some consecutive members of `paths`.

    None for any other text, and for one that would be refused: those are parsed as a whole.
    """
    old = before.outline
    changed = _changed(before.text, text, old) if old is not None else None
    if old is None or changed is None:
        return None
    first, last = changed
    longer = len(text) - len(before.text)
    start, end = old.starts[first], (*old.starts, old.end)[last]
    try:
        made = _made(text[start : end + longer], before.format, old, limits, last)
    except ParseProblem:
        return None
    if made is None or made.outline is None:
        return None
    found = _joined(before.value, made.value, first, last)
    count = old.count + made.outline.count
    if found is None or count >= limits.max_values:
        return None
    inside = (each + start - len(HEADS[before.format]) for each in made.outline.starts)
    after = (each + longer for each in old.starts[last:])
    starts = (*old.starts[:first], *inside, *after)
    outline = Outline(starts, old.end + longer, old.indent, count)
    return Parsed(found, before.format, text, outline)


def _changed(one: str, other: str, outline: Outline) -> tuple[int, int] | None:
    """The first member that may differ between two texts, and the next one that is the same."""
    same = shared_start(one, other)
    rest = len(one) - shared_end(one, other, same)
    if same < outline.starts[0] or rest > outline.end:
        return None
    first = max(bisect_left(outline.starts, same - outline.indent) - 1, 0)
    return first, bisect_left(outline.starts, rest)


def _made(part: str, format: Format, old: Outline, limits: Limits, last: int) -> Parsed | None:
    """Some members of `paths`, parsed in an object of their own."""
    if format == "json":
        return _json(part, limits, is_last=last == len(old.starts))
    return _yaml(part, old.indent, limits)


def _json(part: str, limits: Limits, *, is_last: bool) -> Parsed | None:
    part = part.rstrip(_BLANKS)
    if not is_last and not part.endswith(","):
        return None
    text = f"{HEADS['json']}{part if is_last else part[:-1]}}}}}"
    return outlined(Parsed(parse_json(text, limits), "json", text))


def _yaml(part: str, indent: int, limits: Limits) -> Parsed | None:
    from .parse_yaml import parse_yaml  # with a parser that JSON does not need

    if part[:indent].strip(" ") or part[indent : indent + 1] in ("", " ", "#", "\t", "\r", "\n"):
        return None  # what comes before the first key may be part of the text before it
    if _BOUNDARY.search(part) or not part.endswith("\n"):
        return None
    made = parse_yaml(HEADS["yaml"] + part, limits)
    return made if made.outline is not None and made.outline.indent == indent else None


def _joined(
    before: Mapping[str, Any], made: Mapping[str, Any], first: int, last: int
) -> dict[str, Any] | None:
    """The whole value with some members of `paths` replaced; None if a key is there twice."""
    old, new = before["paths"], made["paths"]
    items = iter(old.items())
    kept = dict(islice(items, first))
    after = dict(islice(items, last - first, None))
    paths = {**kept, **new, **after}
    if len(made) != 1 or len(paths) != len(kept) + len(new) + len(after):
        return None
    return {**before, "paths": paths}
