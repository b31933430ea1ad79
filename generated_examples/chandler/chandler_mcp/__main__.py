"""Run the server: `python -m chandler_mcp`."""

from .server import main

main()
