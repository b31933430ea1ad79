"""Files that come with mcpgen in addition to its code: templates, the runtime, and JSON Schemas."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..paths import in_order

CONTEXT_VERSION = 3
"""Of what templates are given (`package`); raised when a name goes, or means something else."""

_PACKAGE = Path(__file__).parents[1]
RUNTIME = _PACKAGE / "runtime"


@cache
def runtime_sources() -> dict[str, Path]:
    """The files of the runtime by path: its modules, its data and `py.typed`."""
    return {
        path.relative_to(RUNTIME).as_posix(): path
        for path in in_order(RUNTIME.rglob("*"))
        if path.suffix in (".py", ".html") or path.name == "py.typed"
    }


def tool_file_schema() -> str:
    """The JSON Schema of tool files, as it is published."""
    return (_PACKAGE / "tool_file.schema.json").read_text(encoding="utf-8")


def overlay_schema() -> str:
    """A JSON Schema of OpenAPI Overlays, in the newest version that mcpgen supports."""
    return (_PACKAGE / "overlay.schema.json").read_text(encoding="utf-8")


def templates_folder() -> Path:
    """The folder of the built-in templates: inside the package in a wheel, else next to it."""
    inside = _PACKAGE / "templates"
    return inside if inside.is_dir() else _PACKAGE.parent / "templates"
