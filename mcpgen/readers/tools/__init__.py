"""Hand-written tool files, and the answers of `tools/list`, into IR 1."""

from .read import read

__all__ = ["read"]
