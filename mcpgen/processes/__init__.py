"""Helpers for worker processes, temporary files, and the memory use of this process."""
