"""Values that fit none of several forms: what each of them lacks is named."""

import json
from typing import Any

from tables import table

from .servers import Server, of_document

either = of_document("either")


def given(server: Server, tool: str, value: Any) -> dict[str, Any]:
    """The arguments by which a tool takes a body or its query."""
    names = [*server.arguments(tool)]
    return {names[0]: value} if names in (["body"], ["f"]) else dict(value)


@table(
    "tool, value, told",
    ("parts", {"id": 1}, "`body` must have `a` or `b`"),
    ("bare", {}, "must have `email` or `phone`"),
    ("any_bare", {}, "must have `email` or `phone`"),
    ("whole", {}, "`body` must have `name` or `code`"),
    ("named", {}, "`body` must have `a` or `b`"),
    ("listed", [{"x": 1}, {}], "`body[1]` must have `x` or `y`"),
    ("tagged", {"t": {}}, "`t` must have `kind` and `n` or `kind` and `s`"),
    ("query", {}, "`f` must have `x` or `y`"),
    ("many", {}, "`k6` or `k7` or what 4 other forms need"),
)
def test_each_form_says_what_it_lacks(either, tool, value, told):
    assert told in either.call(tool, given(either, tool, value)).refused


@table(
    "tool, value, told",
    ("whole", {"code": "x"}, "`body.code` must be an integer"),
    ("tagged", {"t": {"kind": "num"}}, "`t.n` is required"),
    ("query", {"x": "much"}, "`f.x` must be an integer"),
    ("bare", {"email": "a", "phone": "b"}, "must have only one of `email` or `phone`"),
    ("dependent", {"email": "a"}, "`body.phone` is required with `email`"),
    ("not_both", {"email": "a", "phone": "b"}, "must not"),
)
def test_a_form_that_the_value_comes_near_is_the_one_that_is_told(either, tool, value, told):
    assert told in either.call(tool, given(either, tool, value)).refused


@table(
    "tool, value",
    ("parts", {"id": 1, "b": "x"}),
    ("bare", {"phone": "1"}),
    ("any_bare", {"email": "a", "phone": "1"}),
    ("whole", {"code": 3}),
    ("listed", [{"x": 1}, {"y": 2}]),
    ("tagged", {"t": {"kind": "str", "s": "x"}}),
    ("dependent", {"email": "a", "phone": "1"}),
    ("not_both", {"email": "a"}),
)
def test_what_fits_one_form_is_sent(either, tool, value):
    assert json.loads(either.call(tool, given(either, tool, value)).request.body) == value


def test_an_object_in_a_query_fits_one_form_too(either):
    assert either.call("query", {"f": {"y": 2}}).request.query == [("f[y]", "2")]
