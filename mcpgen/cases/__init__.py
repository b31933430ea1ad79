"""The data of the generated tests, and the answers of `--mock`."""

from .earlier import Basis, Earlier, earlier, keys
from .first_call import first_call
from .mock_answers import mock_answers
from .tool_cases import build, to_json

__all__ = [
    "Basis",
    "Earlier",
    "build",
    "earlier",
    "first_call",
    "keys",
    "mock_answers",
    "to_json",
]
