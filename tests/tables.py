"""Tests that say the same of many cases."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml


def table(names: str, *rows: object) -> pytest.MarkDecorator:
    """The mark of a test that runs once for each row, whose values go by these names."""
    return pytest.mark.parametrize(names, rows)


def listed(names: str, module: str, key: str) -> pytest.MarkDecorator:
    """The same with the rows that the YAML file beside a module has under a key."""
    return table(names, *_tables(module)[key])


@cache
def _tables(module: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = yaml.safe_load(
        Path(module).with_suffix(".yaml").read_text("utf-8")
    )
    return found
