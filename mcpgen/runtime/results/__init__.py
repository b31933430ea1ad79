"""An answer as MCP content, for each revision of the protocol."""
