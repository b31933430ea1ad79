"""The Python types of an API."""

from .worker import Worker, worker_for
from .writing import Models, generate

__all__ = ["Models", "Worker", "generate", "worker_for"]
