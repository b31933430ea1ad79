"""The command line as tests run it, in their own process."""

from __future__ import annotations

from mcpgen.cli.app import command_line

app = command_line()
