"""Run the server: `python -m museum_mcp`."""

from .server import main

main()
