"""Town Library: an MCP server."""

__version__ = "5.0.0"
