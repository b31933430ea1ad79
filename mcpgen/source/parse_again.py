"""Parses only the path items that have changed since an earlier text.

Changed lines that consist of whole members of `paths` can be parsed as an object of their own, and
the text before and after them still means the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice, pairwise, starmap
from typing import Any

from .json_places import outline_of
from .limits import Limits, ParseProblem
from .parse_json import parse_json
from .parsed import HEADS, Format, Outline, Parsed, Remembered

_BLANKS = " \t\r\n"
"""JSON's."""
_PIECE = 1 << 15
"""Characters of a text that are hashed at once."""
_BOUNDARY = re.compile(r"^(?:---|\.\.\.)(?:\s|\Z)", re.MULTILINE)
"""What ends a YAML document wherever it stands."""


def remembered(parsed: Parsed) -> Remembered:
    """What `parse_again` needs of a parsed text."""
    text, outline = parsed.text, parsed.outline
    if parsed.format == "json" and outline is None:
        outline = outline_of(text, parsed.value)
    if outline is None:
        return Remembered(parsed.value, parsed.format)
    hashes = parsed.hashes or _hashes(text, (0, *outline.starts, outline.end, len(text)))
    return Remembered(parsed.value, parsed.format, outline, len(text), hashes)


def parse_again(before: Remembered, text: str, limits: Limits) -> Parsed | None:
    """Parse a text that differs from an earlier one only in some consecutive members of `paths`.

    None for any other text, and for one that would be refused: those are parsed as a whole.
    """
    old = before.outline
    changed = _changed(before, old, text) if old is not None else None
    if old is None or changed is None:
        return None
    first, last = changed
    longer = len(text) - before.length
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
    inside = tuple(each + start - len(HEADS[before.format]) for each in made.outline.starts)
    after = (each + longer for each in old.starts[last:])
    outline = Outline((*old.starts[:first], *inside, *after), old.end + longer, old.indent, count)
    new = _hashes(text, ((0, *old.starts)[first], *inside, end + longer))
    hashes = (*before.hashes[:first], *new, *before.hashes[last + 1 :])
    return Parsed(found, before.format, text, outline, hashes)


def _changed(before: Remembered, outline: Outline, text: str) -> tuple[int, int] | None:
    """The first member that may differ in a later text, and the first after it that is the same.

    The member before the first that differs counts as well: the new text may go on with it.
    """
    longer = len(text) - before.length
    places = (*outline.starts, outline.end)
    head, *known, tail = before.hashes
    if outline.end + longer < places[0] or _hash(text, 0, places[0]) != head:
        return None
    if _hash(text, outline.end + longer, len(text)) != tail:
        return None
    members = list(zip(pairwise(places), known, strict=True))
    first, last = 0, len(members)
    while first < last and _hash(text, *members[first][0]) == members[first][1]:
        first += 1
    first = max(first - 1, 0)
    while last > first + 1:
        (start, end), was = members[last - 1]
        if start + longer < places[first] or _hash(text, start + longer, end + longer) != was:
            break
        last -= 1
    if places[last] + longer == places[first]:  # the first member is gone
        last = min(last + 1, len(members))
    return first, last


def _hashes(text: str, places: Iterable[int]) -> tuple[bytes, ...]:
    return tuple(starmap(partial(_hash, text), pairwise(places)))


def _hash(text: str, start: int, end: int) -> bytes:
    """The hash of a part of a text, which is copied piece by piece."""
    found = hashlib.sha256()
    for at in range(start, end, _PIECE):
        found.update(text[at : min(at + _PIECE, end)].encode("utf-8", "surrogatepass"))
    return found.digest()


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
    value = parse_json(text, limits)
    return Parsed(value, "json", text, outline_of(text, value))


def _yaml(part: str, indent: int, limits: Limits) -> Parsed | None:
    from .parse_yaml import parse_yaml  # with a parser that JSON does not need

    if part[:indent].strip(" ") or part[indent : indent + 1] in ("", " ", "#", "\t", "\r", "\n"):
        return None  # what comes before the first key may belong to the member before
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
