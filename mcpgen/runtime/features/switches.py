"""The operator's file of tools that are switched off: read at the start, and whenever it changes.

disabled = ["deletePet", "admin_*"]
"""

from __future__ import annotations

import logging
import os
import tomllib
from typing import TYPE_CHECKING

import anyio

from ..values.settings import ConfigurationError

if TYPE_CHECKING:
    from .changing_catalogue import ChangingCatalogue

logger = logging.getLogger(__name__)

EVERY = 0.5
"""Seconds between looks at the file."""


class Switches:
    """Keeps a catalogue as its file says; a file that cannot be used later changes nothing."""

    def __init__(self, path: str, variable: str, tools: ChangingCatalogue) -> None:
        """Read the file for the first time.

        Raises:
            ConfigurationError: it cannot be used.
        """
        self._path = path
        self._variable = variable
        self._tools = tools
        self._seen = self._version()
        self._apply()

    async def watch(self) -> None:
        """Look at the file again and again."""
        while True:
            await anyio.sleep(EVERY)
            self.look()

    def look(self) -> None:
        """Apply the file if it is another than before."""
        version = self._version()
        if version == self._seen:
            return
        self._seen = version
        try:
            self._apply()
        except ConfigurationError as problem:
            logger.warning("%s; the tools stay as they are", problem)

    def _apply(self) -> None:
        patterns = read(self._path, self._variable)
        for name in self._tools.unknown(patterns):
            logger.warning("%s disables %r, and no tool is called that", self._variable, name)
        self._tools.disable(patterns)

    def _version(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def read(path: str, variable: str) -> tuple[str, ...]:
    """The names and patterns that a file lists.

    Raises:
        ConfigurationError: it cannot be read, or is of another form.
    """
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except OSError as problem:
        raise ConfigurationError(
            f"{variable} names a file that cannot be read: {problem.strerror}"
        ) from None
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError(f"{variable} names a file that is no TOML: {problem}") from None
    listed = found.pop("disabled", None)
    names = listed if isinstance(listed, list) else None
    if found or names is None or not all(isinstance(name, str) for name in names):
        raise ConfigurationError(
            f'{variable} names a file that must hold one list, such as disabled = ["deletePet"]'
        )
    return tuple(names)
