"""The command that shows what overlays make of a document: overlay."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..diagnostics import Diagnostics, GenerationError
from .flags import asked, with_settings
from .output import print_json, tell


@with_settings("overlay")
def overlay(
    source: Annotated[
        str, typer.Argument(metavar="DOC", help="The document: a file, a URL, or - for stdin.")
    ],
    overlays: Annotated[
        list[str], typer.Argument(metavar="OVERLAY", help="OpenAPI Overlays, in order.")
    ],
    **flags: Any,
) -> None:
    """Print a document with OpenAPI Overlays applied, as JSON."""
    from .. import overlay as overlaying  # with JSONPath, of no use for other commands
    from ..readers.all_sources import source_options

    diagnostics = Diagnostics()
    try:
        reading = asked({**flags, "overlays": overlays}, [source])
        options = source_options(reading)
        document = overlaying.load(
            source, reading.overlays, options=options, diagnostics=diagnostics
        )
    except GenerationError as error:
        diagnostics.extend(error.diagnostics)
        tell(diagnostics.items)
        raise typer.Exit(1) from None
    tell(diagnostics.items)
    print_json(document.root.value)
