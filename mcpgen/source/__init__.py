"""The source of a server: it is read, decoded and parsed, and its references are resolved."""

from .files import Files, SourceOptions
from .loading import load

__all__ = ["Files", "SourceOptions", "load"]
