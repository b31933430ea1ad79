"""Making an answer fit: whole items, as many as fit, however large it is."""

import json
from typing import Any

import pytest
from steps import steps

from mcpgen.runtime.results.limits import ResultLimit, shorten_json, shorten_text
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
def test_as_many_items_as_fit_are_kept(value):
    sizes = [size(of(value, keep)) for keep in range(61)]
    for limit in range(1, sizes[-1], 7):
        best = sum(each <= limit for each in sizes) - 1
        found = shorten_json(value, ResultLimit(1 << 30, "", limit))
        if best < 0:
            assert found is None
        else:
            assert json.dumps(found[0]) == json.dumps(of(value, best))
            assert f": {best} of " in found[1]


@pytest.mark.parametrize("limit", [10, 20_000])
@pytest.mark.parametrize(
    "value",
    [
        lambda size: [1] * size,
        lambda size: [[1] * 30] * (size // 30),
        lambda size: ["\u200b" * size],
        lambda size: {"\ud800" * size: []},
    ],
    ids=["items", "arrays", "text", "name"],
)
def test_what_is_left_out_takes_steps_as_it_is_long(value, limit):
    def work(size):
        return steps(lambda: shorten_json(value(size), ResultLimit(limit, "V")))

    assert work(12_000) < 2.5 * work(6_000)


WIDE = "\U0001f600"
"""A character of four bytes, which is an escape of twelve in a message of ASCII."""


LISTS: list[Any] = [
    ["plain"] * 9000,
    ['q"\\'] * 9000,
    [WIDE * 3] * 9000,
    {"a": [{"b": ["é", None]}] * 9000},
    [7] * 9000,
]


@pytest.mark.parametrize("value", LISTS)
@pytest.mark.parametrize("is_summary", [False, True])
def test_a_message_holds_both_copies_however_they_are_escaped(value, is_summary):
    """As much of it as fits: one item more would not."""
    limit = ResultLimit(20_000, "V", is_summary=is_summary)
    found = shorten_json(value, limit)
    assert found is not None

    def sizes(kept):
        own = of(value, kept)
        text = 0 if is_summary else len(json.dumps(visible(dump(own))))
        return text + len(json.dumps(own, separators=(",", ":")))

    shown = found[0]["a"] if isinstance(value, dict) else found[0]
    assert sizes(len(shown)) <= limit.room < sizes(len(shown) + 1)


@pytest.mark.parametrize("text", ["plain" * 9000, '"\\\n' * 9000, WIDE * 9000, "\x1b" * 9000])
@pytest.mark.parametrize("is_doubled", [False, True])
def test_a_text_is_cut_to_what_its_message_holds(text, is_doubled):
    limit = ResultLimit(20_000, "V")
    start, said = shorten_text(text, limit, is_doubled=is_doubled)
    size = len(json.dumps(visible(start))) + is_doubled * len(json.dumps(start))
    assert limit.room * 0.9 < size <= limit.room
    assert text.startswith(start)
    assert f"{len(start):,} of {len(text):,} characters" in said
