"""A bad setting, and the errors about it."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Diagnostic, GenerationError, Severity
from .locations import SettingsText

Path = tuple[str | int, ...]


class Problem(Exception):
    """An invalid setting, with advice."""

    def __init__(
        self, message: str, hint: str = "", path: Path = (), code: str = "settings-value"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        """Where it is: the keys that lead to it."""
        self.code = code

    def diagnostic(self, origin: SettingsText | None) -> Diagnostic:
        """The problem as an error, with its place in the text of the settings."""
        place = origin.of_path(self.path) if origin else None
        return Diagnostic(self.code, Severity.ERROR, self.message, location=place, hint=self.hint)

    def error(self, origin: SettingsText | None = None) -> GenerationError:
        """An error with this problem only."""
        return GenerationError([self.diagnostic(origin)])


def refuse(problems: Iterable[Problem], origin: SettingsText | None) -> None:
    """Raise a GenerationError with all problems, if there are any."""
    wrong = [each.diagnostic(origin) for each in problems]
    wrong.sort(key=lambda each: (each.location.line, each.location.column) if each.location else ())
    if wrong:
        raise GenerationError(wrong)
