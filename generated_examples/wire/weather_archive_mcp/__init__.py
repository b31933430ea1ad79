"""Weather Archive: an MCP server."""

__version__ = "3.0.0"
