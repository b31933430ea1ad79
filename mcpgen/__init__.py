"""Generate MCP servers from OpenAPI documents and tool files."""

from .runtime import __version__

__all__ = ["__version__"]
