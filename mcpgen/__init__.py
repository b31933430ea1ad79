"""Generate MCP servers from OpenAPI documents and tool files."""

__version__ = "0.1.0"
