"""Hand-written tool files, and the answers of `tools/list`, into IR 1."""

from .read import read
from .structure import SCHEMA_FILE, schema_text

__all__ = ["SCHEMA_FILE", "read", "schema_text"]
