"""What a document says: read, decoded, parsed, and its references followed."""

from .files import SourceOptions
from .loading import first_file, load

__all__ = ["SourceOptions", "first_file", "load"]
