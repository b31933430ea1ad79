"""What a document says: read, decoded, parsed, and its references followed."""

from .loading import SourceOptions, load, options

__all__ = ["SourceOptions", "load", "options"]
