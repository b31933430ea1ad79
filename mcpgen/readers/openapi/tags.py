"""The group of handlers that an operation belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...operations.matching import segments

if TYPE_CHECKING:
    from .operation_parts import Operation

DEFAULT = "default"


def tag_of(operation: Operation) -> str:
    """The operation's first tag, or else the first segment of its path."""
    if has_tag(operation):
        return operation.tags[0]
    words = segments(operation.path)
    return words[0] if words else DEFAULT


def has_tag(operation: Operation) -> bool:
    """Whether the document gives the operation a tag."""
    return bool(operation.tags and operation.tags[0].strip())
