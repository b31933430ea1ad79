"""Run the server: `python -m observatory_mcp`."""

from .server import main

main()
