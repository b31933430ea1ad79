"""Generating, updating and checking servers by their own settings, and what is told of it."""

from .updating import Result, bundle, check, generate_into, generate_to_try, run_all, silent, update

__all__ = [
    "Result",
    "bundle",
    "check",
    "generate_into",
    "generate_to_try",
    "run_all",
    "silent",
    "update",
]
