"""Run the server: `python -m marina_mcp`."""

from .server import main

main()
