"""The data of the generated tests, and the answers of `--mock`."""

from .tool_cases import build, to_json

__all__ = ["build", "to_json"]
