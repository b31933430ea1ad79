"""Run the server: `python -m harbour_mcp`."""

from .server import main

main()
