"""Values that are the same to the last detail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fuzz import budget
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.sameness import identical, shared_end, shared_start


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


@budget.tries(100)
@given(st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_what_two_texts_share(one: str, other: str) -> None:
    start = shared_start(one, other)
    assert one[:start] == other[:start]
    assert one[start : start + 1] != other[start : start + 1] or not one[start:]
    end = shared_end(one, other, start)
    mine, theirs = one[start:][::-1], other[start:][::-1]
    assert mine[:end] == theirs[:end]
    assert mine[end : end + 1] != theirs[end : end + 1] or not mine[end:]
    assert shared_start(one.encode(), other.encode()) == start
