"""Run the server: `python -m harbour_clinic_mcp`."""

from .server import main

main()
