"""What a caller may ask of the OpenAPI reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class ReadOptions(Struct, frozen=True):
    """Filters, limits and known names; the globs are those of `fnmatch`, case-sensitive."""

    base_url: str = ""
    """Where the API is, in place of every server of the document."""
    include_tags: tuple[str, ...] = ()
    exclude_tags: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    include_operations: tuple[str, ...] = ()
    exclude_operations: tuple[str, ...] = ()
    """Match an operationId, a tool's name or `METHOD /path`."""
    methods: tuple[str, ...] = ()
    read_only: bool = False
    input_schema_bytes: int = 0
    output_schema: str = "open"
    """open, strict or none."""
    output_schema_bytes: int = 512
    closed_objects: str = "written"
    """Objects that forbid what they have: written, or whole."""
    description_limit: int = 8000
    security_schemes: Mapping[str, Any] = field(default_factory=dict)
    """Those of the settings, which every operation asks for that does not say what it asks for."""
    known_tools: Mapping[str, str] = field(default_factory=dict)
    """From the lock: `METHOD /path` to the tool's name."""
    known_arguments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """From the lock: by `METHOD /path` the names of arguments that the document cannot give."""
    known_filters: Mapping[str, str] = field(default_factory=dict)
    """From the lock: names in `include_operations` and `exclude_operations` to `METHOD /path`."""
