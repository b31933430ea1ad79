"""Reads a server's `mcpgen.toml` over what its workspace shares."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from . import workspace
from .locations import SettingsText
from .problems import Problem
from .settings import Settings
from .values import made, override


def load(path: Path, is_known: Callable[[Settings], bool] | None = None) -> Settings:
    """The settings of the server whose `mcpgen.toml` is at a path.

    Those that `is_known` knows have been checked before, by the generation that noted them. Raises
    GenerationError for text that is not TOML, unknown keys and values of a wrong type, here or in
    the file of its workspace.
    """
    own = SettingsText.read(path)
    if is_known is not None:
        with suppress(KeyError, TypeError, AttributeError, Problem):
            settings = made(Settings(), _values(own))
            if is_known(settings):
                return settings
    return _settings(own)


def parse(text: str, path: Path) -> Settings:
    """The settings that a text gives in the place of the file; raises GenerationError as `load`."""
    return _settings(SettingsText(path, text))


def of_workspace(folder: Path) -> Settings:
    """The settings that a server in a folder shares; its paths are as seen from there."""
    return override(Settings(), workspace.shared(folder))


def _settings(own: SettingsText) -> Settings:
    return override(Settings(), _values(own), origin=own)


def _values(own: SettingsText) -> dict[str, object]:
    return workspace.over(workspace.shared(own.path.parent), own.values())
