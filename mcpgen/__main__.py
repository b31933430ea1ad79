"""Run the command line: `python -m mcpgen`."""

from .cli.app import main

main()
