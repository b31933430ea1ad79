"""Sharing samples between tools, so that equal schemas are sampled once."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..api import Schema
from .instances import Sampler, Variant
from .scalars import NoSample


class RememberingSampler(Sampler):
    """A sampler that makes each sample once."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        super().__init__(pool)
        self._samples: dict[tuple[object, ...], Any] = {}

    def sample(
        self, schema: Schema, *, variant: Variant = "full", name: str = "", own_values: bool = True
    ) -> Any:
        """Build an instance as `Sampler.sample` does, or copy the one that was built before."""
        key = (repr(schema), variant, name, own_values)
        if key not in self._samples:
            try:
                self._samples[key] = super().sample(
                    schema, variant=variant, name=name, own_values=own_values
                )
            except NoSample as none:
                self._samples[key] = none
        sample = self._samples[key]
        if isinstance(sample, NoSample):
            raise NoSample(*sample.args)
        return copy.deepcopy(sample) if isinstance(sample, (dict, list)) else sample


class Samplers:
    """The samplers of tools: one for all whose definitions are the same."""

    def __init__(self) -> None:
        self._pool: dict[str, Schema] = {}
        self._shared = RememberingSampler(self._pool)

    def of(self, definitions: Mapping[str, Schema]) -> Sampler:
        """The sampler for schemas that refer only to `definitions`."""
        same = [self._pool.setdefault(key, it) is it for key, it in definitions.items()]
        return self._shared if all(same) else Sampler(definitions)
