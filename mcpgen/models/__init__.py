"""The Python types of an API."""

from .workers import Worker, worker_for
from .writing import FOLDER_SIZE, Models, generate

__all__ = ["FOLDER_SIZE", "Models", "Worker", "generate", "worker_for"]
