"""Generating, updating and checking servers by their own settings, and what is told of it."""

from .updating import Result, check, generate_into, run_all, silent, update

__all__ = ["Result", "check", "generate_into", "run_all", "silent", "update"]
