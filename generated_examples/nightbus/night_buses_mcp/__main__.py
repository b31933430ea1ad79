"""Run the server: `python -m night_buses_mcp`."""

from .server import main

main()
