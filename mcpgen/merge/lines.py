"""Three-way merge of text by lines; for the base version only the hashes of lines are known."""

from __future__ import annotations

import difflib
import hashlib
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

_HASH_LENGTH = 6
_HASHES_PER_ROW = 16


class Hunk(Struct, frozen=True):
    """Lines that both sides changed."""

    line: int
    """Where they are in the merged text."""
    there: tuple[str, ...]
    new: tuple[str, ...]


class MergedLines(Struct, frozen=True):
    """The merged text, and the lines that both sides changed."""

    text: str
    hunks: tuple[Hunk, ...]


def snapshot(text: str) -> list[str]:
    """The hashes of a text's lines, several per row, in the format of a lock."""
    hashes = [_hash(line) for line in text.splitlines()]
    return [
        " ".join(hashes[i : i + _HASHES_PER_ROW]) for i in range(0, len(hashes), _HASHES_PER_ROW)
    ]


def merge(base: Sequence[str], there: str, new: str, *, conflicts: str = "keep") -> MergedLines:
    """Merge two texts, based on the rows of `snapshot`.

    `conflicts` decides on lines that both sides changed: `keep` leaves them, `theirs` replaces
    them, and `markers` writes both versions.
    """
    before = [each for row in base for each in row.split()]
    lines: list[str] = []
    hunks: list[Hunk] = []
    ours, generated = _lines(there), _lines(new)
    for old, mine, other in _chunks(before, ours, generated):
        mine_hashes, other_hashes = [_hash(x) for x in mine], [_hash(x) for x in other]
        if mine_hashes == other_hashes or other_hashes == old:
            lines += mine
        elif mine_hashes == old:
            lines += other
        elif (both := _beside(old, mine, other)) is not None:
            lines += both
        else:
            hunks.append(Hunk(len(lines) + 1, tuple(mine), tuple(other)))
            lines += _settled(mine, other, conflicts)
    text = "".join(lines)
    ended = not there or there.endswith("\n")
    return MergedLines(text if ended else text.removesuffix("\n"), tuple(hunks))


def marked(mine: str, other: str) -> tuple[str, dict[int, int]]:
    """A text with git's conflict marks around the lines that differ from the other text.

    Also returns, for each line of `mine`, the line of the next mark in the result.
    """
    ours, generated = _lines(mine), _lines(other)
    lines: list[str] = []
    marks: dict[int, int] = {}
    matcher = difflib.SequenceMatcher(None, ours, generated, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        one, two = ours[start:end], generated[first:last]
        if kind == "equal":
            lines += one
            continue
        marks |= {line: len(lines) + 1 for line in range(len(marks) + 1, end + 1)}
        lines += _settled(one, two, "markers")
    return "".join(lines), marks


def generated(base: Sequence[str], text: str) -> list[str]:
    """The lines of a text that nobody edited: their hashes are in `base`, rows of a `snapshot`."""
    hashes = {each for row in base for each in row.split()}
    return [line for line in text.splitlines() if _hash(line) in hashes]


def diff(there: Iterable[str], new: Iterable[str]) -> str:
    """A unified diff of edited and generated lines, without its header."""
    one, other = ([line.rstrip("\n") for line in side] for side in (there, new))
    return "\n".join(list(difflib.unified_diff(one, other, lineterm="", n=2))[2:])


def _lines(text: str) -> list[str]:
    """The lines of a text with their line ends, which the last line may lack."""
    ended = not text or text.endswith("\n")
    return (text if ended else f"{text}\n").splitlines(keepends=True)


def _settled(mine: list[str], other: list[str], conflicts: str) -> list[str]:
    if conflicts == "markers":
        return ["<<<<<<< yours\n", *mine, "=======\n", *other, ">>>>>>> generated\n"]
    return other if conflicts == "theirs" else mine


def _beside(old: list[str], mine: list[str], other: list[str]) -> list[str] | None:
    """Both sides' changes, if one side only added lines at the start or the end; else None."""
    count = len(old)
    for one, two in ((mine, other), (other, mine)) if old else ():
        hashes = [_hash(line) for line in one]
        if hashes[:count] == old:
            return [*two, *one[count:]]
        if hashes[-count:] == old:
            return [*one[:-count], *two]
    return None


def _hash(line: str) -> str:
    text = line.rstrip().encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()[:_HASH_LENGTH]


def _chunks(
    base: list[str], there: list[str], new: list[str]
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """The three versions in parallel, split at each line that all of them have."""
    in_there = _matches(base, [_hash(line) for line in there])
    in_new = _matches(base, [_hash(line) for line in new])
    at = (0, 0, 0)
    for index in range(len(base)):
        if index not in in_there or index not in in_new:
            continue
        place = (index, in_there[index], in_new[index])
        if place != at:
            yield base[at[0] : index], there[at[1] : place[1]], new[at[2] : place[2]]
        yield base[index : index + 1], [there[place[1]]], [new[place[2]]]
        at = (index + 1, place[1] + 1, place[2] + 1)
    yield base[at[0] :], there[at[1] :], new[at[2] :]


def _matches(base: list[str], other: list[str]) -> dict[int, int]:
    """The indexes in `base` of the lines common to both, with their indexes in `other`."""
    places: dict[int, int] = {}
    at = (0, 0)
    for one, two in [*_anchors(base, other), (len(base), len(other))]:
        between = base[at[0] : one], other[at[1] : two]
        matcher = difflib.SequenceMatcher(None, *between, autojunk=False)
        for block in matcher.get_matching_blocks():
            for offset in range(block.size):
                places[at[0] + block.a + offset] = at[1] + block.b + offset
        if one < len(base):
            places[one] = two
        at = (one + 1, two + 1)
    return places


def _anchors(base: list[str], other: list[str]) -> list[tuple[int, int]]:
    """The positions of lines that occur once in each text, and in the same order in both.

    If a long block moved, only the lines of the block are out of order, and not all the text that
    it moved past.
    """
    times = Counter(base), Counter(other)
    once = {line: place for place, line in enumerate(base) if times[0][line] == 1}
    pairs = [(once[x], two) for two, x in enumerate(other) if x in once and times[1][x] == 1]
    last: list[int] = []
    """The least place in `base` at which so many pairs in order can end."""
    chains: list[tuple[tuple[int, int], Any]] = []
    for pair in pairs:
        length = bisect(last, pair[0])
        last[length : length + 1] = [pair[0]]
        chains[length : length + 1] = [(pair, chains[length - 1] if length else None)]
    chain = chains[-1] if chains else None
    anchors: list[tuple[int, int]] = []
    while chain is not None:
        anchors.append(chain[0])
        chain = chain[1]
    return anchors[::-1]
