"""Bookshop: an MCP server."""

__version__ = "1.4.0"
