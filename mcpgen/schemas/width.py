"""The number of names in an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from ..api import Schema
from .subschemas import referred_key

WIDE = 16
"""The number of names from which an agent that needs a few pays too much for all."""
_MAX_STEPS = 300


def is_wide(schema: Schema | None, pool: Mapping[str, Schema]) -> bool:
    """Whether a schema has many property names in total, those of nested schemas included."""
    waiting = deque([schema])
    names = steps = 0
    seen: set[str] = set()
    while waiting and names < WIDE and steps < _MAX_STEPS:
        form = waiting.popleft()
        steps += 1
        if not isinstance(form, Mapping):
            continue
        key = referred_key(form)
        if key is not None and key not in seen:
            seen.add(key)
            waiting.append(pool.get(key))
        properties = form.get("properties", {})
        names += len(properties)
        waiting += properties.values()
        waiting += [form.get("items"), form.get("additionalProperties")]
        for keyword in ("allOf", "anyOf", "oneOf"):
            waiting += form.get(keyword, ())
    return names >= WIDE
