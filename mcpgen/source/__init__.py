"""The source of a server: read, decoded, parsed, and its references followed."""

from .files import Files, SourceOptions
from .loading import load

__all__ = ["Files", "SourceOptions", "load"]
