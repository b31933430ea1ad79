"""Tests that say the same of many cases."""

import pytest


def table(names: str, *rows: object) -> pytest.MarkDecorator:
    """The mark of a test that runs once for each row, whose values go by these names."""
    return pytest.mark.parametrize(names, rows)
