"""The failure of a call for which there is no access token."""

from __future__ import annotations

import logging

from ..values.errors import ToolError
from ..values.urls import Origin

logger = logging.getLogger(__name__)

UNSENT = "Nothing was sent to the API."
"""What is said where there is no access token."""


def no_token(url: str, why: str, advice: str) -> ToolError:
    """The failure of a call for which there is no token; the log is told why, too."""
    host = Origin.of(url).host
    logger.warning("nothing that can be used came from %s: %s", host, why)
    return ToolError(f"No access token came from {host}: {why} {UNSENT} {advice}")
