"""The settings of tasks."""

from __future__ import annotations

from dataclasses import dataclass

from ...values import environment as read
from ...values.settings import Settings, setting


@dataclass(frozen=True)
class TaskSettings(Settings):
    """The settings of a server with tasks."""

    task_ttl: float = setting(3600.0, read.seconds)
    """Seconds after which a task is forgotten, ended or not."""
    max_tasks: int = setting(2000, read.whole)
    """Tasks at a time, those that have ended and are not forgotten included."""
