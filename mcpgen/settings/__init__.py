"""What the user asked for: `mcpgen.toml` and flags."""

from .settings import (
    FILE_NAME,
    KEYS,
    Settings,
    literal,
    load,
    of_source,
    override,
    parse,
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
    "override",
    "parse",
    "reference",
    "relative_to",
    "seen_from_here",
    "to_toml",
]
