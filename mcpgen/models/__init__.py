"""The Python types of an API."""

from .api_types import Models, generate
from .worker import Worker

__all__ = ["Models", "Worker", "generate"]
