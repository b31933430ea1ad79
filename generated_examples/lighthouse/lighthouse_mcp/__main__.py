"""Run the server: `python -m lighthouse_mcp`."""

from .server import main

main()
