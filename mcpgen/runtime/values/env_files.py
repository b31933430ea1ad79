"""Credentials in files: `NAME_FILE` holds the path of a file that holds what `NAME` would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from .errors import ToolError

_LARGEST = 64 * 1024
_ENDS = "\r\n"
"""Of a line: a secret that was made by `echo` has one."""


class EnvironmentWithFiles(Mapping[str, str]):
    """The environment, with files read where a variable is empty; line ends after a value go.

    A file is read each time, so that a mounted secret may change while the server runs. Blanks
    alone are no value: sent as a credential they would be one that is empty.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        value = _value(self._environ.get(name, ""))
        path = self._environ.get(f"{name}_FILE")
        if value or not path:
            return _unicode(name, _value(self._environ[name]))
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST + 1)
            if len(content) > _LARGEST:
                raise ValueError
            return _value(content.decode())
        except (OSError, ValueError):
            raise ToolError(
                f"The file that this server's environment variable {name}_FILE names cannot be "
                "read. Nothing was sent."
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)


def _value(text: str) -> str:
    return text.rstrip(_ENDS) if text.strip() else ""


def _unicode(name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:  # Python reads other bytes as surrogates
        raise ToolError(
            f"This server's environment variable {name} is not text in UTF-8. Nothing was sent."
        ) from None
    return value
