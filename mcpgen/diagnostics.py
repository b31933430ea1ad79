"""All problems that mcpgen reports, each with a stable code, its place, and a hint.

Failure                   ends a run: nothing is written, the exit code is 1
GenerationError           a Failure that has a list of diagnostics
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from .text.nearest import nearest

_INVISIBLE = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
) | frozenset((*range(0x180B, 0x1810), *range(0xE0100, 0xE01F0)))
"""Characters that count as printable and show nothing: fillers and most variation selectors."""

_MAX_CHARACTERS = 1000
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Severity(StrEnum):
    """The severity of a diagnostic; with an error, nothing is written."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Excerpt(Struct, frozen=True):
    """A few lines of a source around a place, long lines cut to a window."""

    first_line: int
    lines: tuple[str, ...]
    caret: int
    """Characters before the place in its line, as far as the line is shown."""


class Location(Struct, frozen=True, eq=False):
    """A place in a text; line and column count from 1."""

    file: str
    line: int
    column: int
    excerpt: Excerpt | None = None
    """What is there; no part of what makes a place the same."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Location) and self._place == other._place

    def __hash__(self) -> int:
        return hash(self._place)

    @property
    def _place(self) -> tuple[str, int, int]:
        return self.file, self.line, self.column


class Located(Protocol):
    """An object with a place in a document."""

    @property
    def pointer(self) -> str:
        """Where the object is in its document, as a JSON Pointer (RFC 6901)."""
        ...

    @property
    def location(self) -> Location:
        """The object's line and column in its file."""
        ...


class Diagnostic(Struct, frozen=True):
    """A problem: an error, a warning or a note."""

    code: str
    severity: Severity
    message: str
    pointer: str = ""
    location: Location | None = None
    hint: str = ""
    setting: tuple[str, ...] = ()
    """The words that lead to its cause where that is in `mcpgen.toml`: a key, and its value."""

    def to_json(self) -> dict[str, Any]:
        """The diagnostic as a JSON object; `file`, `line`, `column` and `hint` are optional."""
        value: dict[str, Any] = {
            "code": self.code,
            "severity": self.severity.value,
            "message": printable(self.message),
            "pointer": printable(self.pointer),
        }
        if self.location is not None:
            value["file"] = printable(self.location.file)
            value["line"] = self.location.line
            value["column"] = self.location.column
        if self.hint:
            value["hint"] = printable(self.hint)
        return value


class Failure(Exception):
    """An error that ends a run; the message gives the reason and the remedy."""


class GenerationError(Failure):
    """A request that cannot be carried out; `diagnostics` give the reasons."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"[{d.code}] {printable(d.message)}" for d in self.diagnostics))

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        at: Located | None = None,
        hint: str = "",
        location: Location | None = None,
        setting: tuple[str, ...] = (),
    ) -> GenerationError:
        """A GenerationError that contains one error."""
        return cls([diagnostic(Severity.ERROR, code, message, at, hint, location, setting)])


def diagnostic(
    severity: Severity,
    code: str,
    message: str,
    at: Located | None = None,
    hint: str = "",
    location: Location | None = None,
    setting: tuple[str, ...] = (),
) -> Diagnostic:
    """A diagnostic with the pointer and location of `at`."""
    if at is None:
        return Diagnostic(code, severity, message, "", location, hint, setting)
    return Diagnostic(code, severity, message, at.pointer, location or at.location, hint)


INTO_SETTINGS = "into mcpgen.toml"
"""Where the line of settings goes that a hint has; other places take its place where they must."""


def line_of_settings(line: str, how: str = "") -> str:
    """A hint to add a line to the settings; the line can be pasted as it is."""
    return f"Write `{line}` {INTO_SETTINGS}{f', {how}' if how else ''}."


def did_you_mean(word: str, words: Sequence[str], otherwise: str) -> str:
    """A hint that names the most similar of `words`; if none is similar, `otherwise`."""
    near = nearest(word, words)
    return f"Did you mean `{near}`?" if near else otherwise


class Diagnostics:
    """Collects diagnostics without duplicates.

    They are sorted by place, errors last, so that their order does not depend on what was checked
    first.
    """

    def __init__(self) -> None:
        self._items: dict[Diagnostic, None] = {}
        self._ignored: frozenset[str] = frozenset()

    def add(self, item: Diagnostic) -> None:
        """Add a diagnostic, unless its code is ignored or an equal one exists."""
        if item.code not in self._ignored or item.severity is Severity.ERROR:
            self._items[item] = None

    def ignore(self, codes: Iterable[str]) -> None:
        """Drop warnings and notes with these codes, and collect no more of them."""
        self._ignored = frozenset(codes)
        for item in self.items:
            if item.code in self._ignored and item.severity is not Severity.ERROR:
                self.remove(item)

    def remove(self, item: Diagnostic) -> None:
        """Drop a diagnostic."""
        self._items.pop(item, None)

    def error(
        self,
        code: str,
        message: str,
        at: Located | None = None,
        hint: str = "",
        setting: tuple[str, ...] = (),
    ) -> None:
        """Report a problem that makes writing impossible; `hint` says what to do."""
        self.add(diagnostic(Severity.ERROR, code, message, at, hint, None, setting))

    def warning(
        self,
        code: str,
        message: str,
        at: Located | None = None,
        hint: str = "",
        setting: tuple[str, ...] = (),
    ) -> None:
        """Report a problem that was worked around; `hint` says what to do."""
        self.add(diagnostic(Severity.WARNING, code, message, at, hint, None, setting))

    def note(
        self,
        code: str,
        message: str,
        at: Located | None = None,
        hint: str = "",
        setting: tuple[str, ...] = (),
    ) -> None:
        """Report a fact that is good to know; `hint` says what to do."""
        self.add(diagnostic(Severity.NOTE, code, message, at, hint, None, setting))

    def extend(self, other: Diagnostics | Iterable[Diagnostic]) -> None:
        """Add the diagnostics of `other`, in their order."""
        for item in other.items if isinstance(other, Diagnostics) else other:
            self.add(item)

    def raise_if_errors(self, *, strict: bool = False) -> None:
        """Raise a GenerationError with all errors so far; if `strict`, warnings count as errors."""
        errors = self.errors + (self.warnings if strict else ())
        if errors:
            raise GenerationError(errors)

    @property
    def items(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, sorted."""
        return tuple(sorted(self._items, key=_order))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors; if there is one, no server is written."""
        return self._of(Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings: features that a server lacks, or has in a different form than the
        document.
        """
        return self._of(Severity.WARNING)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The notes: facts worth knowing."""
        return self._of(Severity.NOTE)

    def _of(self, severity: Severity) -> tuple[Diagnostic, ...]:
        return tuple(item for item in self.items if item.severity is severity)

    def __len__(self) -> int:
        return len(self._items)


def _order(item: Diagnostic) -> tuple[bool, bool, str, int, int]:
    """The sort key of a diagnostic; a diagnostic without a place comes last."""
    place = item.location
    where = (place.file, place.line, place.column) if place is not None else ("", 0, 0)
    return (item.severity is Severity.ERROR, place is None, *where)


def printable(text: str) -> str:
    """`text` on one line, shortened if it is long, control and invisible characters escaped."""
    return visible(f"{text[:_MAX_CHARACTERS]}..." if len(text) > _MAX_CHARACTERS else text)


def visible(text: str) -> str:
    """`text` on one line with control and invisible characters escaped.

    Otherwise a terminal could obey a control character, and a program that reads logs could take a
    line for a command.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_printable(character) for character in text)


def _printable(character: str) -> str:
    code = ord(character)
    if character.isprintable() and code not in _INVISIBLE:
        return character
    if character in _SHORT:
        return _SHORT[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def render(item: Diagnostic) -> str:
    """A diagnostic as text for a terminal: the message, its place, source lines, and a hint."""
    lines = [f"{item.severity.value}[{item.code}]: {printable(item.message)}"]
    if item.location is not None:
        place = f"{printable(item.location.file)}:{item.location.line}:{item.location.column}"
        pointer = f" at #{printable(item.pointer)}" if item.pointer else ""
        lines.append(f"  --> {place}{pointer}")
        if item.location.excerpt is not None:
            lines += _excerpt(item.location.excerpt, item.location.line)
    elif item.pointer:
        lines.append(f"  --> #{printable(item.pointer)}")
    if item.hint:
        lines.append(f"  = help: {printable(item.hint)}")
    return "\n".join(lines)


def _excerpt(excerpt: Excerpt, marked: int) -> list[str]:
    width = len(str(excerpt.first_line + len(excerpt.lines) - 1))
    lines = [f"{'':{width}} |"]
    for number, text in enumerate(excerpt.lines, excerpt.first_line):
        lines.append(f"{number:{width}} | {_source(text)}".rstrip())
        if number == marked:
            lines.append(f"{'':{width}} | {'':{len(_source(text[: excerpt.caret]))}}^")
    return lines


def _source(text: str) -> str:
    return printable(text.replace("\t", "    "))
