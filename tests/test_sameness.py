"""Values that are the same to the last detail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mcpgen.sameness import identical


@dataclass(frozen=True)
class Pair:
    one: Any
    other: Any = None


def nested(depth: int, inside: Any) -> Any:
    for _ in range(depth):
        inside = {"a": [inside]}
    return inside


@pytest.mark.parametrize(
    "make",
    [
        lambda: None,
        lambda: "a",
        lambda: 1.5,
        lambda: [1, {"a": (2,)}, {}, []],
        lambda: Pair({"a": [1]}, "b"),
        lambda: nested(5000, 1),
    ],
)
def test_what_is_made_alike_is_identical(make: Callable[[], Any]) -> None:
    assert identical(make(), make())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("1", 1),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1, 2], [1]),
        ([1], (1,)),
        ([1, 2], [2, 1]),
        (Pair({"a": 1}), Pair({"a": 1.0})),
        (Pair(1), [1]),
        (nested(5000, 1), nested(5000, True)),
        ({"a": None}, {}),
    ],
)
def test_values_that_differ_in_anything_are_not(one: Any, other: Any) -> None:
    assert not identical(one, other)
    assert not identical([other], [one])
