"""Flags that parts add to the command line, and flags of parts that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..values.seams import FLAGS, way_to

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mcp.server.lowlevel import Server

    from .builder import Builder


class Command:
    """Flags that a part's `COMMAND` adds to the command line, and their effects."""

    transport = ""
    """How clients reach the server by it, as the description says."""

    def add_flags(self, parser: ArgumentParser, once: Any) -> None:
        """Add the command's flags; one-off flags, after which the process exits, go into `once`."""

    def verify(self, parser: ArgumentParser, flags: Namespace) -> None:
        """End with a usage error if the flags do not go together."""

    def run(self, app: Builder, flags: Namespace) -> int | None:
        """Carry out the flags that need no settings; returns the exit code, or None if none
        is set.
        """
        return None

    def serves(self, flags: Namespace) -> bool:
        """Whether the flags select this command's transport, so that stdio is not used."""
        return False

    def prepare(self, app: Builder, flags: Namespace, settings: Any) -> bool:
        """Whether the flags make the server reachable over HTTP; raises ConfigurationError."""
        return False

    def serve(
        self, app: Builder, server: Server[Any], flags: Namespace, settings: Any, name: str
    ) -> int:
        """Serve clients until a signal, as the program `name`; returns the exit code."""
        raise NotImplementedError  # asked of a command that `serves` alone


def add_missing(parser: ArgumentParser) -> None:
    """Add the flags of parts that this server lacks.

    Using such a flag is an error, whose message says how to add the part.
    """
    from argparse import SUPPRESS, Action

    class Missing(Action):
        def __call__(self, parser: ArgumentParser, *_: Any) -> None:
            flag = self.option_strings[0]
            parser.error(f"argument {flag}: {way_to(FLAGS[flag])}")

    for flag in FLAGS:
        if flag not in parser._option_string_actions:
            parser.add_argument(flag, nargs="?", action=Missing, help=SUPPRESS)
