"""The command that lets people try a document: serve."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..source.access import is_url
from .generation import chosen
from .invocation import Invocation


def serve(
    source: Annotated[str, typer.Argument(help="The document or tool file: a file or a URL.")],
    http: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="The address: HOST:PORT, a port such as 8000, or 0 for a free one. "
            "Default: 127.0.0.1:8000, or a free port if 8000 is taken.",
        ),
    ] = "",
    stdio: Annotated[
        bool,
        typer.Option(
            "--stdio", help="Use stdio instead of HTTP, for a client that starts this command."
        ),
    ] = False,
    mock: Annotated[
        bool, typer.Option("--mock", help="Answer from examples, without the API.")
    ] = False,
    reload: Annotated[
        bool, typer.Option("--reload", help="Restart when a file of the document changes.")
    ] = False,
    **flags: Any,
) -> Invocation:
    """Try a document or a tool file: serve it from a temporary folder, with a page to call tools.

    Ctrl+C stops the server and deletes the folder.
    """
    if source == "-":
        raise typer.BadParameter("name a file or a URL: a client may need the standard input")
    if stdio and reload:
        raise typer.BadParameter(
            "not with --stdio, where the client starts the server", param_hint="--reload"
        )
    if reload and is_url(source):
        raise typer.BadParameter("a URL is not watched: name a file", param_hint="--reload")
    run = {"http": http, "stdio": stdio, "mock": mock, "reload": reload}
    return Invocation("serve", {"flags": {"source": source, **chosen(flags)}, **run})
