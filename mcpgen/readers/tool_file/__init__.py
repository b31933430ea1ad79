"""Reads hand-written tool files and answers of `tools/list` into IR 1."""

from .tool_file_reader import read

__all__ = ["read"]
