"""Deterministic instances of JSON Schemas."""

from .instances import NoSample, Sampler, Variant, sample

__all__ = ["NoSample", "Sampler", "Variant", "sample"]
