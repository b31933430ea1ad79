"""Run the command line: `python -m mcpgen`, and the console script."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interruption is not reported as a fault, even during the imports."""
    try:
        from .cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit("mcpgen: interrupted")


if __name__ == "__main__":
    main()
