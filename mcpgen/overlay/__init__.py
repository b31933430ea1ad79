"""OpenAPI Overlays 1.0, 1.1 and 1.2: changes to a document that are written in other files."""

from .loading import load

__all__ = ["load"]
