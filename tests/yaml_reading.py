"""Texts of YAML that tests read."""

from typing import Any

import pytest

from mcpgen.source.limits import Limits, ParseProblem
from mcpgen.source.parse_yaml import parse_yaml


def parse(text: str, **limits: int) -> Any:
    return parse_yaml(text, Limits(**limits))[0]


def problem(text: str, **limits: int) -> ParseProblem:
    with pytest.raises(ParseProblem) as caught:
        parse(text, **limits)
    return caught.value
