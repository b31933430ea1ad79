"""Checks of values against JSON Schema."""
