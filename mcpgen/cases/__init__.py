"""The data of the generated tests, and the answers of `--mock`."""

from ..bundled.parts import offer_all
from .first_call import first_call
from .mock_answers import mock_answers
from .tool_cases import build, to_json

offer_all()

__all__ = ["build", "first_call", "mock_answers", "to_json"]
