"""What a document says: read, decoded, parsed, and its references followed."""

from .files import SourceOptions
from .loading import load

__all__ = ["SourceOptions", "load"]
