"""Finds the lines of problems in `mcpgen.toml`, since TOML parsers keep no positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics import Diagnostic, GenerationError, Location
from ..merge import conflict_marks

_SYNTAX = re.compile(r"\(at line (\d+), column (\d+)\)")
_FURTHER = "[[with]]"
_COMMENT = re.compile(r"(?m)^\s*#.*$")
_QUOTES = "Put strings in quotes, but not true, false and numbers."


class SettingsText(Struct, frozen=True):
    """The text of a settings file."""

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> SettingsText:
        """The text of a file; raises GenerationError if it is not UTF-8."""
        data = path.read_bytes()
        try:
            return cls(path, data.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - data.rfind(b"\n", 0, error.start)
            problem, place = f"this is not UTF-8: {error.reason}", Location(str(path), line, column)
            raise GenerationError.of(
                "settings-syntax", problem, hint="Save it as UTF-8.", location=place
            ) from None

    def values(self) -> dict[str, Any]:
        """The values of the text; raises GenerationError if it is not TOML."""
        import tomllib  # of no use for a server that is not there yet

        try:
            return tomllib.loads(self.text.removeprefix("\ufeff"))  # Windows' editors begin with it
        except (ValueError, RecursionError) as error:
            hint = _QUOTES if "Invalid value" in str(error) else "Correct the file."
            if "twice" in str(error):
                hint = "Merge the two tables: a file can have each only once."
            if conflict_marks.place(self.text) is not None:
                hint = conflict_marks.HINT
            place = self.of_syntax(str(error))
            raise GenerationError.of(
                "settings-syntax", str(error), hint=hint, location=place
            ) from None

    @property
    def _plain_text(self) -> str:
        """The text with its comments replaced by blanks."""
        return _COMMENT.sub(lambda comment: " " * len(comment[0]), self.text)

    def of_syntax(self, message: str) -> Location:
        """The place that a message of `tomllib` names, or else the end of the text."""
        match = _SYNTAX.search(message)
        if match is not None:
            return Location(str(self.path), int(match[1]), int(match[2]))
        return self._location(len(self.text.rstrip()))

    def of_path(self, path: Iterable[str | int]) -> Location:
        """Where the setting at a path is written, or else the last key on the path that exists."""
        plain, words = self._plain_text, []
        value: Any = self.values()
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else value and value[key]
            if not isinstance(key, int):
                words.append(key)
            elif words == ["with"] and _FURTHER in plain:
                words = [_FURTHER] * (key + 1)
            elif isinstance(value, str) and value:
                words.append(value)
        return self._location(max([0, *self._of_each(words)]))

    def of_words(self, words: Iterable[str]) -> Location | None:
        """The location of the last word; each word is searched for after the previous one.

        None if a word is missing. In a run that writes nothing, a flag may have set the value.
        """
        lines = list(self._of_each(words))
        return None if -1 in lines or not lines else self._location(lines[-1])

    def _of_each(self, words: Iterable[str]) -> Iterator[int]:
        """The place of each word, searched for after the previous one; -1 if it is missing."""
        text, place = self._plain_text, 0
        for word in words:
            match = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])").search(text, place)
            if match is None:
                yield -1
            else:
                place = match.end()
                yield match.start()

    def _location(self, place: int) -> Location:
        line = self.text.count("\n", 0, place) + 1
        return Location(str(self.path), line, place - self.text.rfind("\n", 0, place))


def placed(
    diagnostics: Iterable[Diagnostic], path: Path, shared: Path | None = None
) -> tuple[Diagnostic, ...]:
    """The diagnostics, with line and column added to those about the settings file.

    `shared` is the file to search for settings that are not in the settings file itself.
    """
    if not path.is_file() or not any(each.setting for each in diagnostics):
        return tuple(diagnostics)
    texts = [
        SettingsText(each, each.read_bytes().decode("utf-8")) for each in (path, shared) if each
    ]
    return tuple(_placed(each, texts) if each.setting else each for each in diagnostics)


def _placed(each: Diagnostic, texts: Sequence[SettingsText]) -> Diagnostic:
    message = each.message.removeprefix(f"{texts[0].path.name}: ")
    place = next(filter(None, (text.of_words(each.setting) for text in texts)), None)
    if place is None and message != each.message:
        place = texts[0].of_path(each.setting)
    return replace(each, message=message, location=place)
