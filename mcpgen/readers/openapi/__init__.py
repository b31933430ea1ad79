"""Reads OpenAPI 2.0, 3.0, 3.1 and 3.2 into IR 1 (`mcpgen.api`)."""

from .openapi_reader import read

__all__ = ["read"]
