"""Generates, updates and checks servers by their own settings, and reports the results."""

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
