"""Servers generated from `specs/`, called by a real MCP client and watched from the API's side."""
