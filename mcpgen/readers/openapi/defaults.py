"""Makes required arguments optional if they have a default or only one allowed value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from ... import schemas
from ...api import Argument, In, Schema
from ...samples.checks import Checker
from ...schemas.rules import Rules
from ...text.literals import json_bytes

_MAX_BYTES = 400
"""The most bytes of JSON: a longer value would be most of a handler."""


def with_default(argument: Argument, pool: Mapping[str, Schema]) -> Argument:
    """The argument; if it is required and has a default or one allowed value, it becomes optional.

    The server then sends that value, so that agents need not repeat what the document gives.
    """
    value = next(_values(argument, pool), None) if argument.required else None
    if value is None:
        return argument
    schema = schemas.with_keywords(argument.schema, {"default": value})
    return replace(argument, schema=schema, required=False, sends_default=True)


def _values(argument: Argument, pool: Mapping[str, Schema]) -> Iterator[Any]:
    """Values to send if the argument is omitted: first its only allowed one, then its defaults.

    A value that the argument's own schema refuses is left out.
    """
    rules = Rules.of(argument.schema, pool)
    single = rules.values if rules.values is not None and len(rules.values) == 1 else []
    for value in (*single, *rules.each("default")):
        fills = value not in ("", [], {}) or argument.location is not In.PATH
        is_short = value is not None and len(json_bytes(value)) <= _MAX_BYTES
        if fills and is_short and Checker(pool).surely_valid(value, argument.schema):
            yield value
