"""What handlers of their own return, with fields that agents do not see."""

import json
from dataclasses import dataclass

import pytest
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field
from tables import listed, table

from mcpgen.runtime import Media, Response
from mcpgen.runtime.parts.shaping import REDACTED, Shape, below, read_path, shape_value, start
from mcpgen.runtime.results.limits import ResultLimit
from mcpgen.runtime.results.returned import from_handler

SHAPE = Shape(redact=["$.email"], fields=["$.id", "$.email"])


@dataclass
class Person:
    id: int
    email: str
    note: str = "x"


@table(
    "text, shown",
    ('{"email": "canary", "id": NaN}', '{"email":"[redacted]","id":NaN}'),
    *((text, text) for text in ("NaN", "1e400", "123456789012345678901.5", '"a"', "null")),
)
def test_a_text_that_is_no_object_has_no_fields_and_stays(text, shown):
    for shape in (SHAPE, Shape(redact=["$.email"])):
        made = shape.of_returned(CallToolResult(content=[TextContent(text=text)]))
        assert made.content[0].text == shown


@pytest.mark.parametrize("value", [None, "text", b"bytes", Media(b"x"), [TextContent(text="a")]])
def test_content_of_its_own_stays(value):
    assert SHAPE.of_returned(value) is value


@listed("path, value, shown", __file__, "what a path names")
def test_what_a_path_names(path, value, shown):
    assert shape_value(value, Shape(redact=[path])) == shown


@table("path", "", "a", "$", "$a", "$.", "$.a.", "$[0]", "$['a]", "$..", "$..*", "$..[*]", "$.a b")
def test_what_is_no_path(path):
    with pytest.raises(ValueError, match="must be a path such as"):
        read_path(path)


def test_data_of_any_kind_is_shaped_under_the_names_that_agents_see():
    expected = {"id": 1, "email": REDACTED}
    assert SHAPE.of_returned(Person(1, "canary")) == expected
    assert SHAPE.of_returned({"id": 1, "email": None, "a": 2}) == expected
    text = '{"id": 1, "email": "canary", "b": 1}'
    whole = Response(data=json.loads(text), content=text.encode(), verbatim=text)
    shown = SHAPE.of_returned(whole)
    assert shown.data == expected
    assert "canary" not in repr(shown)
    assert Shape(fields=["$.id"]).of_returned(5) is None
    assert Shape(fields=["$.id"]).of_returned({"id": 1, "b": {"c": 1}}) == {"id": 1}

    class Sailor(BaseModel):
        id: int
        mail: str = Field(alias="email")

    sailor = Sailor(id=1, email="canary")
    assert Shape(redact=["$[*].email"]).of_returned([sailor]) == [{"id": 1, "email": REDACTED}]
    result = from_handler(sailor, {"name": "t"}, ResultLimit(100, ""))
    assert result["structuredContent"] == {"id": 1, "email": "canary"}
    blocks = [TextContent(text='{"email":"canary"}'), TextContent(text="Done.")]
    made = CallToolResult(content=blocks, structured_content={"email": "canary", "x": 1})
    shown = SHAPE.of_returned(made)
    assert shown.structured_content == {"email": REDACTED}
    assert [block.text for block in shown.content] == ['{"email":"[redacted]"}', "Done."]
    text = "[" * 100_000 + '{"email":"canary"}' + "]" * 100_000
    with pytest.raises(RecursionError):
        SHAPE.of_returned(CallToolResult(content=[TextContent(text=text)]))
    assert not below(start(["$.a.b"]), "c")
    assert not below(start(["$.a"]), None)
