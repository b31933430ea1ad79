"""OpenAPI 2.0, 3.0, 3.1 and 3.2 into IR 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .openapi_reader import read
from .options import ReadOptions

if TYPE_CHECKING:
    from ...lock import Lock
    from ...settings import Settings

__all__ = ["ReadOptions", "options", "read"]


def options(asked: Settings, known: Lock | None = None) -> ReadOptions:
    """What the settings ask of the reader; the lock's tools keep their names."""
    return ReadOptions(
        base_url=asked.base_url,
        include_tags=asked.include_tags,
        exclude_tags=asked.exclude_tags,
        include_paths=asked.include_paths,
        exclude_paths=asked.exclude_paths,
        include_operations=asked.include_operations,
        exclude_operations=asked.exclude_operations,
        methods=asked.methods,
        read_only=asked.read_only,
        input_schema_bytes=asked.input_schema_bytes,
        output_schema=asked.output_schema,
        output_schema_bytes=asked.output_schema_bytes,
        closed_objects=asked.closed_objects,
        description_limit=asked.description_limit,
        known_tools=known.tools if known is not None else {},
        known_arguments=known.arguments if known is not None else {},
        known_filters=known.filters if known is not None else {},
    )
