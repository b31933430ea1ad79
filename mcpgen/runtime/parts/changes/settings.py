"""The settings of changing tools."""

from __future__ import annotations

from dataclasses import dataclass

from ...values.settings import Settings, setting


@dataclass(frozen=True)
class ChangeSettings(Settings):
    """The settings of a server whose tools may change."""

    tools_file: str | None = setting(None, str, closing=True)
    """Path of a TOML file whose list `disabled` names tools that are off; it is watched."""
