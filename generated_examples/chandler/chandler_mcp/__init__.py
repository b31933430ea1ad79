"""The ship chandler: an MCP server."""

__version__ = "0.3.0"
