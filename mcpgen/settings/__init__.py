"""What the user asked for: `mcpgen.toml` and flags."""

from .loading import load, of_workspace, parse
from .settings import (
    FILE_NAME,
    KEYS,
    Settings,
    literal,
    of_source,
    override,
    reference,
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
    "reference",
    "relative_to",
    "seen_from_here",
    "to_toml",
]
