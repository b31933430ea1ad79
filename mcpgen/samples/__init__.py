"""Deterministic instances of JSON Schemas."""

from .instances import NoSample, Sampler, Variant, sample
from .shared import Samplers

__all__ = ["NoSample", "Sampler", "Samplers", "Variant", "sample"]
