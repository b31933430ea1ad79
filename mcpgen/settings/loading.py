"""Reads a server's `mcpgen.toml` over what its workspace shares."""

from __future__ import annotations

from pathlib import Path

from . import workspace
from .locations import SettingsText
from .settings import Settings, override


def load(path: Path) -> Settings:
    """The settings of the server whose `mcpgen.toml` is at a path.

    Raises GenerationError for text that is not TOML, unknown keys and values of a wrong type, here
    or in the file of its workspace.
    """
    return _settings(SettingsText.read(path))


def parse(text: str, path: Path) -> Settings:
    """The settings that a text gives in the place of the file; raises GenerationError as `load`."""
    return _settings(SettingsText(path, text))


def of_workspace(folder: Path) -> Settings:
    """The settings that a server in a folder shares; its paths are as seen from there."""
    return override(Settings(), workspace.shared(folder))


def _settings(own: SettingsText) -> Settings:
    values = own.values()
    return override(
        Settings(), workspace.over(workspace.shared(own.path.parent), values), origin=own
    )
