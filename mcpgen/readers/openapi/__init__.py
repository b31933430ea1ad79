"""OpenAPI 2.0, 3.0, 3.1 and 3.2 into IR 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .openapi_reader import read
from .options import ReadOptions

if TYPE_CHECKING:
    from ...lock import Lock
    from ...settings import Settings

__all__ = ["ReadOptions", "options", "read"]


def options(settings: Settings, old_lock: Lock | None = None) -> ReadOptions:
    """What the settings ask of the reader; the lock's tools keep their names."""
    return ReadOptions(
        base_url=settings.base_url,
        security_schemes=settings.security_schemes,
        include_tags=settings.include_tags,
        exclude_tags=settings.exclude_tags,
        include_paths=settings.include_paths,
        exclude_paths=settings.exclude_paths,
        include_operations=settings.include_operations,
        exclude_operations=settings.exclude_operations,
        methods=settings.methods,
        read_only=settings.read_only,
        input_schema_bytes=settings.input_schema_bytes,
        output_schema=settings.output_schema,
        output_schema_bytes=settings.output_schema_bytes,
        closed_objects=settings.closed_objects,
        description_limit=settings.description_limit,
        known_tools=old_lock.tools if old_lock is not None else {},
        known_arguments=old_lock.arguments if old_lock is not None else {},
        known_filters=old_lock.filters if old_lock is not None else {},
    )
