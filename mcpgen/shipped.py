"""What comes with mcpgen to be placed in servers: the templates, and the runtime."""

from __future__ import annotations

from pathlib import Path

CONTEXT_VERSION = 1
"""Of what templates are given (`package`); raised when a name goes, or means something else."""

RUNTIME = Path(__file__).parent / "runtime"


def templates_folder() -> Path:
    """Where the built-in templates are: beside this module in a wheel, above it in a checkout."""
    inside = Path(__file__).parent / "templates"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "templates"
