"""Credentials in files: `NAME_FILE` holds the path of a file that holds what `NAME` would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import ToolError

_LARGEST = 64 * 1024


class EnvironmentWithFiles(Mapping[str, str]):
    """The environment, with files read where a variable is empty.

    A file is read each time, so that a mounted secret may change while the server runs.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        value = self._environ.get(name)
        path = self._environ.get(f"{name}_FILE")
        if value or not path:
            return self._environ[name]
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST + 1)
            if len(content) > _LARGEST:
                raise ValueError
            return content.decode().rstrip("\r\n")
        except (OSError, ValueError):
            raise ToolError(
                f"The file that this server's environment variable {name}_FILE names cannot be "
                "read. Nothing was sent."
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)
