"""One file of a document: its text, its value, and the position of each part of the text."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..diagnostics import Diagnostic, GenerationError, Location, Severity
from ..hashes import digest
from ..paths import seen_from
from ..text import pointer
from . import decode
from .json_places import JsonPlaces
from .limits import Limits, ParseProblem, Repeated
from .numerals import NotFinite
from .positions import Lines, Place

_WORD = re.compile(r"[^\s,{}\[\]#\"'|>&*!]+")
_SPECIFIED = frozenset({"openapi", "swagger"})
_ONE_HOLDS = "The last one that is not empty counts: remove the other."
Home = Path | str | None
"""The origin of a file: an absolute path, a URL, or None for standard input."""


class SourceFile:
    """A text and its JSON value; `name` is its name in messages.

    A `borrowed` file is in a folder beside the document's own: only parts of an API description are
    taken from it, and none of its text is shown.
    """

    def __init__(
        self,
        name: str,
        home: Home,
        data: bytes,
        limits: Limits,
        *,
        borrowed: bool = False,
    ) -> None:
        self.name = name
        self.home = home
        self.borrowed = borrowed
        self.sha256 = digest(data)
        self.text = ""
        try:
            self.text = decode.decode(data)
            parsed = decode.parse(self.text, name, limits)
            if parsed.odd and _is_for_us(parsed.value):
                raise parsed.odd[0].problem
        except ParseProblem as problem:
            if problem.code == "encoding":
                self.text = decode.readable(data)
            raise GenerationError([self._refusal(problem)]) from None
        self.value = parsed.value
        self._is_json, self._repeated, self.odd = parsed.is_json, parsed.repeated, parsed.odd

    def location(self, at: str) -> Location:
        """The place of the value at a pointer, or of the nearest value around it."""
        place = self._places.get(at)
        while place is None and at:
            at = pointer.parent(at)
            place = self._places.get(at)
        if place is None:
            return self.location_of(0)
        return self.location_of(place[0])

    def value_location(self, at: str) -> Location:
        """The place where the value begins; for an object's member, after its key."""
        place = self._places.get(at)
        return self.location(at) if place is None else self.location_of(place[1])

    def location_of(self, offset: int) -> Location:
        """The line and column of the character at `offset`."""
        location = self._lines.location(self.name, offset)
        return replace(location, excerpt=None) if self.borrowed else location

    def relative_to(self, root: SourceFile) -> str:
        """The file's path relative to the root file; it is the same on every machine."""
        if isinstance(self.home, Path) and isinstance(root.home, Path):
            return seen_from(root.home.parent, self.home)
        return self.name

    def written(self, at: str) -> str:
        """A number, boolean or null of a YAML or JSON text as written: `1.10`, not 1.1."""
        place = self._places.get(at)
        match = _WORD.match(self.text, place[1]) if place is not None else None
        return "" if match is None else match.group()

    @cached_property
    def _places(self) -> JsonPlaces | dict[str, Place]:
        if self._is_json:
            return JsonPlaces(self.text)
        from .yaml_places import yaml_places  # with a parser that JSON does not need

        return yaml_places(self.text)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def oddities(self) -> list[Diagnostic]:
        """Warnings about keys that are in one object twice, and numbers that JSON lacks."""
        return [*map(self._repetition, self._repeated), *map(self._odd_number, self.odd)]

    def _odd_number(self, number: NotFinite) -> Diagnostic:
        problem = number.problem
        message = f"{problem.message}; its users are left out"
        place = self.location_of(problem.offset or 0)
        return Diagnostic(problem.code, Severity.WARNING, message, "", place, problem.hint)

    def _repetition(self, repetition: Repeated) -> Diagnostic:
        line = self.location_of(repetition.first).line
        message = f"the key {repetition.key!r} is there twice in one object, first in line {line}"
        place = self.location_of(repetition.offset)
        return Diagnostic("repeated-key", Severity.WARNING, f"{message}", "", place, _ONE_HOLDS)

    def _refusal(self, problem: ParseProblem) -> Diagnostic:
        message = problem.message
        location = Location(self.name, 1, 1)
        if self.text:
            location = self.location_of(problem.offset or 0)
        if problem.first is not None:
            message += f", first in line {self.location_of(problem.first).line}"
        return Diagnostic(problem.code, Severity.ERROR, message, "", location, problem.hint)


def _is_for_us(value: Any) -> bool:
    """Whether a document is one of mcpgen's own kinds: a tool file or an overlay."""
    keys = value.keys() if isinstance(value, dict) else set[str]()
    return bool(keys & {"tools", "resources", "prompts", "overlay"}) and not keys & _SPECIFIED


def measure(value: Any) -> tuple[int, int]:
    """The number of JSON values in a value, including itself, and how deep they are nested."""
    count, deepest = 0, 0
    stack = [(value, 1)]
    while stack:
        inner, depth = stack.pop()
        count, deepest = count + 1, max(deepest, depth)
        if isinstance(inner, dict):
            stack.extend((each, depth + 1) for each in inner.values())
        elif isinstance(inner, list):
            stack.extend((each, depth + 1) for each in inner)
    return count, deepest
