"""Reads a server's `mcpgen.toml` together with the settings that its workspace shares."""

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

    If `is_known` accepts the settings, an earlier generation has checked them, so they are not
    checked again. Raises GenerationError for text that is not TOML, unknown keys and values of a
    wrong type, here or in the file of the workspace.
    """
    own = SettingsText.read(path)
    if is_known is not None:
        with suppress(KeyError, TypeError, AttributeError, Problem):
            settings = made(Settings(), _values(own))
            if is_known(settings):
                return settings
    return _settings(own)


def parse(text: str, path: Path) -> Settings:
    """The settings in `text`, as if the file had that content; raises GenerationError as `load`
    does.
    """
    return _settings(SettingsText(path, text))


def of_workspace(folder: Path) -> Settings:
    """The workspace's settings for a server in a folder; paths are relative to that folder."""
    return override(Settings(), workspace.shared(folder))


def _settings(own: SettingsText) -> Settings:
    return override(Settings(), _values(own), origin=own)


def _values(own: SettingsText) -> dict[str, object]:
    return workspace.over(workspace.shared(own.path.parent), own.values())
