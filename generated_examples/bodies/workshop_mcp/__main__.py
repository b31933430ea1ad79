"""Run the server: `python -m workshop_mcp`."""

from .server import main

main()
