"""A limit for each inputSchema, so that the list of all tools stays readable.

Every inputSchema contains all the definitions that it reaches. If a thousand operations reach the
same thousand definitions, a document of one megabyte becomes a list of hundreds of megabytes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ... import schemas
from ...schemas.definitions import definitions
from ...schemas.subschemas import references

if TYPE_CHECKING:
    from .arguments import Arguments
    from .operation_parts import Operation
    from .reader_state import Reading

ROOM = 48 << 20
"""The most bytes of all inputSchemas together."""


def cut(
    built: Mapping[str, Arguments], operations: Iterable[Operation], reading: Reading
) -> Reading:
    """The reading with a limit for inputSchemas, low enough that they fit together.

    `built` is by operation. A warning at the longest inputSchema states the limit. Nothing changes
    if all fit, or if the settings give a limit.
    """
    if reading.settings.input_schema_bytes:
        return reading
    sizes = {key: _size(each) for key, each in built.items()}
    longest = _limit(sizes.values(), ROOM)
    if not longest:
        return reading
    largest = max(sizes, key=lambda key: sizes[key])
    place = next(operation.node for operation in operations if operation.key == largest)
    count = sum(size > longest for size in sizes.values())
    message = (
        f"the inputSchemas of all tools would have {sum(sizes.values()):,} bytes, this one "
        f"{sizes[largest]:,}; {count:,} are cut to {longest:,} bytes: only the API checks the rest"
    )
    hint = "Leave operations out, or say with `input_schema_bytes` how long each may be."
    reading.diagnostics.warning("input-schemas-cut", message, place, hint)
    settings = dataclasses.replace(reading.settings, input_schema_bytes=longest)
    return replace(reading, settings=settings)


def _limit(sizes: Iterable[int], room: int) -> int:
    """The length to cut at, or 0 if all fit; room that short schemas leave goes to the others."""
    waiting = sorted(sizes)
    for done, size in enumerate(waiting):
        share = room // (len(waiting) - done)
        if size > share:
            return max(share, 1)
        room -= size
    return 0


def _size(built: Arguments) -> int:
    """The bytes of the schemas and names in an inputSchema, computed without building it."""
    pool = definitions(built.pool)
    sizes: dict[str, int] = pool.memo.setdefault("size", {})
    reached: set[str] = set()
    total = 0
    for argument in built.arguments:
        total += len(argument.name) + schemas.size(argument.schema)
        reached |= references(argument.schema)
    for key in pool.closure(reached):
        if key not in sizes:
            sizes[key] = len(key) + schemas.size(pool[key])
        total += sizes[key]
    return total
