"""The user's settings: `mcpgen.toml` and flags."""

from .loading import load, of_workspace, parse
from .settings import FILE_NAME, KEYS, Settings
from .values import (
    literal,
    of_source,
    override,
    relative_to,
    seen_from_here,
    to_toml,
)

__all__ = [
    "FILE_NAME",
    "KEYS",
    "Settings",
    "literal",
    "load",
    "of_source",
    "of_workspace",
    "override",
    "parse",
    "relative_to",
    "seen_from_here",
    "to_toml",
]
