"""The Python types of an API."""

from .worker import Worker, worker_for
from .writing import Models, generate, unchanged

__all__ = ["Models", "Worker", "generate", "unchanged", "worker_for"]
