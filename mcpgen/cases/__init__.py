"""The data of the generated tests, and the answers of `--mock`."""

from .first_call import first_call
from .mock_answers import mock_answers
from .tool_cases import build, to_json

__all__ = ["build", "first_call", "mock_answers", "to_json"]
