"""Limits on a text's size and depth, and the problems of a text that cannot be parsed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Limits(Struct, frozen=True):
    """Limits that bound time and memory for any text."""

    max_values: int = 1_500_000
    """The most JSON values in one text; each YAML alias counts as its contents."""
    max_depth: int = 256
    repeated_keys: str = "refuse"
    """`refuse`, or `last`: the last of several equal keys counts."""


class ParseProblem(Exception):
    """The error that a text cannot be parsed.

    `offset` is the number of characters before the problem; None means the whole text. `first` is
    the offset of another place that belongs to the problem, such as the first of two equal keys.
    """

    def __init__(
        self,
        code: str,
        message: str,
        offset: int | None = None,
        hint: str = "",
        *,
        first: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset
        self.hint = hint
        self.first = first


def duplicate_key(key: str, first: int, offset: int) -> ParseProblem:
    """The problem that an object has a key twice."""
    return ParseProblem(
        "duplicate-key",
        f"the key {key!r} is there twice in one object",
        offset,
        "Remove or rename one of them, or use the last one, with --repeated-keys last.",
        first=first,
    )


class Repeated(Struct, frozen=True):
    """A key that is in one object twice, and the place of the value that counts."""

    key: str
    first: int
    offset: int


FOR_PEOPLE = ("description", "summary", "title")


def one_of_two(repetition: Repeated, before: Any, value: Any, limits: Limits) -> Any:
    """The value that counts for a key that is there twice; raises ParseProblem if none can.

    Of two descriptions, summaries or titles, the last that is not empty counts.
    """
    if limits.repeated_keys == "last":
        return value
    are_texts = all(each is None or isinstance(each, str) for each in (before, value))
    if repetition.key in FOR_PEOPLE and are_texts:
        return value if value and value.strip() else before
    raise duplicate_key(repetition.key, repetition.first, repetition.offset)


def too_deep(limits: Limits, offset: int | None) -> ParseProblem:
    """The problem that a text is nested too deeply."""
    return ParseProblem(
        "too-deep", f"nested deeper than {limits.max_depth} levels", offset, "Flatten the document."
    )


def too_many(limits: Limits, offset: int | None) -> ParseProblem:
    """The problem that a text has too many values."""
    return ParseProblem(
        "too-many-values",
        f"more than {limits.max_values:,} values, with an alias counted as all that it repeats",
        offset,
        "Raise the limit with --max-source-values, then leave tools out, as with --include-path.",
    )


def surrogate(offset: int | None) -> ParseProblem:
    """The problem of half a UTF-16 surrogate pair, which is not a character."""
    return ParseProblem(
        "lone-surrogate",
        "a string holds half of a UTF-16 surrogate pair, which is not a character",
        offset,
        "Write the character itself, or both halves of the pair.",
    )


class ReadProblem(Exception):
    """A file that cannot be read."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class Exhausted(ReadProblem):
    """A limit of the whole document is reached; no more files are read."""


def too_large(limit: int) -> Exhausted:
    """The problem that a file is larger than `limit`, the bytes left for all files together."""
    return Exhausted(
        "too-large",
        f"larger than the {limit:,} bytes that are left of the limit for all files",
        "Raise the limit with --max-source-bytes, or leave out what no operation needs.",
    )
