"""Night Buses: an MCP server."""

__version__ = "2026.4"
