"""Files of published servers: for the MCP registry, hosts and Claude Desktop."""
