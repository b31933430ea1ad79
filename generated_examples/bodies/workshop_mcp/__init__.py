"""Workshop: an MCP server."""

__version__ = "0.9.0"
