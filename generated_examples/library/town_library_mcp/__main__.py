"""Run the server: `python -m town_library_mcp`."""

from .server import main

main()
