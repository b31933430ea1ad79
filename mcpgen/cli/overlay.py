"""The command `overlay`, which shows a document with its overlays applied."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..diagnostics import Diagnostics
from .flags import asked
from .output import print_json, tell, telling


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
    with telling(before=diagnostics):
        reading = asked({**flags, "overlays": overlays}, [source])
        options = source_options(reading)
        document = overlaying.load(
            source, reading.overlays, options=options, diagnostics=diagnostics
        )
    tell(diagnostics.items)
    print_json(document.root.value)
