"""Deterministic sample values for JSON Schemas."""
