"""Harbour Clinic: an MCP server."""

__version__ = "2.7"
