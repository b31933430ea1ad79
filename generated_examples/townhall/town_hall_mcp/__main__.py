"""Run the server: `python -m town_hall_mcp`."""

from .server import main

main()
