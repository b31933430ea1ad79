"""What is written of servers that are published: for the MCP registry, hosts and Claude Desktop."""
