"""A size limit for inputSchemas, so that the list of all tools stays readable.

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
    """The `Reading`, with a size limit for inputSchemas if all of them together are too large.

    `built`: the arguments by operation. A warning at the longest inputSchema states the limit.
    Nothing changes if the settings have a limit.
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
        f"{sizes[largest]:,}; {count:,} are cut to {longest:,} bytes, and only the API checks what "
        "was cut"
    )
    hint = "Leave operations out, or say with `input_schema_bytes` how long each may be."
    reading.diagnostics.warning("input-schemas-cut", message, place, hint)
    settings = dataclasses.replace(reading.settings, input_schema_bytes=longest)
    return replace(reading, settings=settings)


def _limit(sizes: Iterable[int], room: int) -> int:
    """The largest size for each schema such that all fit into `room`; 0 if they fit uncut.

    Space that small schemas leave is shared by the others.
    """
    waiting = sorted(sizes)
    for done, size in enumerate(waiting):
        share = room // (len(waiting) - done)
        if size > share:
            return max(share, 1)
        room -= size
    return 0


def _size(built: Arguments) -> int:
    """The size of an inputSchema in bytes, computed without building the schema."""
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
