"""The command line as tests run it, in their own process."""

from functools import cache
from typing import Any

import typer.testing
from click.testing import Result

from mcpgen.cli.app import command_line

app = command_line()

# To put the commands together takes longer than most of them; its runner does it for each run.
typer.testing._get_command = cache(typer.main.get_command)


def run(*arguments: str, **options: Any) -> Result:
    """Run a command; `options` are those of typer's runner."""
    return typer.testing.CliRunner().invoke(app, arguments, **options)
