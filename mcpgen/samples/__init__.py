"""Deterministic instances of JSON Schemas."""
