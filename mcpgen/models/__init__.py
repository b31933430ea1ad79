"""The Python types of an API."""

from .writing import FOLDER_SIZE, Models, generate

__all__ = ["FOLDER_SIZE", "Models", "generate"]
