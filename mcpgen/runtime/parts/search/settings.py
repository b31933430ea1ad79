"""The settings of the search surface."""

from __future__ import annotations

from dataclasses import dataclass

from ...values import environment as read
from ...values.settings import Settings, setting


@dataclass(frozen=True)
class SearchSettings(Settings):
    """The settings of a server that offers the search surface."""

    each_timeout: float = setting(300.0, read.seconds)
    """Seconds after which no further call of `each` begins; TIMEOUT bounds every one."""
