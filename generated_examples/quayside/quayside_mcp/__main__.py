"""Run the server: `python -m quayside_mcp`."""

from .server import main

main()
