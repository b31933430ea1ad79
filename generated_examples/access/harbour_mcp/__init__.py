"""Harbour Office: an MCP server."""

__version__ = "1.1.0"
