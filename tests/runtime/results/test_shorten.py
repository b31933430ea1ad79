"""Making an answer fit: whole items, as many as fit, however large it is."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from mcpgen.runtime.results.content import shorten_json
from mcpgen.runtime.values.display import visible
from mcpgen.runtime.values.jsontext import dump

VALUES: list[Any] = [
    list(range(60)),
    {"a": [1, 2, 3] * 10, "b/c~": {"d": ["é€😀", 'q"\\', "\x1b\u200b\ud800"] * 20}},
    [[[number] * number for number in range(6)] for _ in range(5)],
    [{"k": [None, True, False, -1.5e300, 10**40]}, [], {}, "x" * 50] * 9,
    [[], [[]], [[[]]]] * 9,
    {"none": 1, "empty": [], "one": [[["deep" * 30]]]},
]


def of(value: Any, keep: int) -> Any:
    """The value with so many items of each array."""
    if isinstance(value, dict):
        return {key: of(child, keep) for key, child in value.items()}
    return [of(child, keep) for child in value[:keep]] if isinstance(value, list) else value


def size(value: Any) -> int:
    return len(visible(dump(value)).encode())


@pytest.mark.parametrize("value", VALUES)
def test_as_many_items_as_fit_are_kept(value: Any) -> None:
    sizes = [size(of(value, keep)) for keep in range(61)]
    for limit in range(1, sizes[-1], 7):
        best = sum(each <= limit for each in sizes) - 1
        found = shorten_json(value, limit)
        if best < 0:
            assert found is None
        else:
            assert found is not None
            assert json.dumps(found[0]) == json.dumps(of(value, best))
            assert f": {best} of " in found[1]


@pytest.mark.parametrize("limit", [10, 20_000])
@pytest.mark.parametrize(
    "value",
    [[1] * 200_000, [[1] * 30] * 20_000, ["\u200b" * 200_000], {"\ud800" * 200_000: []}],
    ids=["items", "arrays", "text", "name"],
)
def test_what_is_left_out_takes_no_time(value: Any, limit: int) -> None:
    started = time.process_time()
    shorten_json(value, limit)
    assert time.process_time() - started < 2
