"""Run the server: `python -m weather_archive_mcp`."""

from .server import main

main()
