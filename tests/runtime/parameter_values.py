"""A value that is hard to send as a parameter, and what is said of those that cannot be."""

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.runtime import ArgumentError

HARD = "a/b?c#d&e=f +é%"


def refusal(build: Callable[[dict[str, Any]], Any], value: Any) -> str:
    with pytest.raises(ArgumentError) as caught:
        build({"id": value})
    assert caught.value.argument == "id"
    return str(caught.value)
