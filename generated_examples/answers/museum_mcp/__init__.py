"""Museum: an MCP server."""

__version__ = "2.2.0"
