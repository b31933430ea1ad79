"""The quayside kiosk: an MCP server."""

__version__ = "1.2.0"
