"""Shares samples between tools, so that equal schemas are sampled once."""

from __future__ import annotations

from collections.abc import Mapping

from ..api import Schema
from .instances import Sampler


class Samplers:
    """The samplers of tools; tools with the same definitions share one."""

    def __init__(self) -> None:
        self._pool: dict[str, Schema] = {}
        self._shared = Sampler(self._pool)

    def of(self, definitions: Mapping[str, Schema]) -> Sampler:
        """The sampler for schemas that refer only to `definitions`."""
        same = [self._pool.setdefault(key, it) is it for key, it in definitions.items()]
        return self._shared if all(same) else Sampler(definitions)
