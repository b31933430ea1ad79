"""The data of the generated tests, and the answers of `--mock`."""

from .earlier import Basis, Earlier, earlier, keys
from .first_call import first_call
from .mock_answers import answers_json, mock_answers
from .tool_cases import build, to_json

__all__ = [
    "Basis",
    "Earlier",
    "answers_json",
    "build",
    "earlier",
    "first_call",
    "keys",
    "mock_answers",
    "to_json",
]
