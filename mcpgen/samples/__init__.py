"""Deterministic instances of JSON Schemas."""

from .instances import Sampler, Variant, is_short
from .scalars import NoSample
from .shared import Samplers

__all__ = ["NoSample", "Sampler", "Samplers", "Variant", "is_short"]
