"""Run the server: `python -m bookshop_mcp`."""

from .server import main

main()
