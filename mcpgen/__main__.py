"""Run the command line: `python -m mcpgen`."""

from .cli import main

main()
