"""The Python types of an API."""

from .modules import FOLDER_SIZE
from .worker import Worker, worker_for
from .writing import Models, generate, unchanged

__all__ = ["FOLDER_SIZE", "Models", "Worker", "generate", "unchanged", "worker_for"]
