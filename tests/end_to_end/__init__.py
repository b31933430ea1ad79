"""Servers generated from `specs/`, started, called by a real MCP client, and watched from the API's side."""
