"""The marina: an MCP server."""

__version__ = "2.1.0"
