"""What every step of reading one document shares."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...api import SecurityScheme
    from ...diagnostics import Diagnostics
    from ...document import Document
    from ..dialect import SchemaPool
    from .options import ReadOptions


class Version(IntEnum):
    """The versions of OpenAPI that are read."""

    V20 = 20
    V30 = 30
    V31 = 31
    V32 = 32


@dataclass(frozen=True)
class Reading:
    """One document being read."""

    document: Document
    version: Version
    pool: SchemaPool
    diagnostics: Diagnostics
    options: ReadOptions
    schemes: tuple[SecurityScheme, ...] = ()
    key_places: frozenset[tuple[str, str]] = frozenset()
    """Location and name of each declared apiKey; header names in lower case."""
