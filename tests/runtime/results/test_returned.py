"""What agents see of what a handler of its own returns."""

from base64 import b64encode
from typing import Any

import pytest
from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    TextContent,
    TextResourceContents,
)
from pictures import PNG, WAV
from tables import table

from mcpgen.runtime import ProtocolError, ToolError
from mcpgen.runtime.results.limits import ResultLimit
from mcpgen.runtime.results.returned import Media, from_handler

from ..mapping import PLAIN, STRING, on_the_wire, texts

LIMIT = ResultLimit(100, "SHOP_MAX_RESULT_BYTES")
STRICT = {**PLAIN, "outputSchema": STRING}
HALF = "x\ud800"
"""Half of a pair: what JavaScript leaves of an emoji where it cuts a text."""


def block(found: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(text="t")], structured_content=found)


@table(
    "value",
    *[HALF, {"a": HALF}, [HALF], [HALF, b"bytes"], TextContent(text=HALF)],
    EmbeddedResource(resource=TextResourceContents(uri="shop://a", text=HALF)),
    block({"a": [HALF]}),
)
def test_half_of_a_surrogate_pair_loses_no_answer(value):
    result = on_the_wire(from_handler(value, PLAIN, LIMIT))
    assert any(text in str(result) for text in ("x\ufffd", "x\\\\ud800"))


@table("value", None, b"x", block({"b": 1}), CallToolResult(content=[TextContent(text="t")]))
def test_what_clients_would_drop_is_marked_as_an_error_and_whole(value):
    result = on_the_wire(from_handler(value, STRICT, LIMIT))
    assert result["isError"] is True
    assert "so this one is marked as an error; the answer is complete." in texts(result)[-1]
    given = value.content if isinstance(value, CallToolResult) else [value] * (value is not None)
    assert len(result["content"]) == len(given) + 1


@table("value", {"a": "x"}, block({"a": "x"}), CallToolResult(content=[], is_error=True))
def test_what_fits_and_what_is_an_error_already_stay_as_they_are(value):
    result = on_the_wire(from_handler(value, STRICT, LIMIT))
    assert "clients drop" not in str(result)
    assert bool(result.get("isError")) is ("structuredContent" not in result)


@table(
    "value, problem, said",
    ([b"x", {}], TypeError, "dict is not content"),
    (Media(PNG + b"x" * 31, "image/png"), ToolError, "101 bytes of image/png, .* the 88"),
    (b"x" * 101, ToolError, "raise SHOP_MAX_RESULT_BYTES"),
    (float("nan"), ValueError, "not JSON"),
)
def test_what_is_no_result_is_refused(value, problem, said):
    with pytest.raises(problem, match=said):
        from_handler(value, PLAIN, LIMIT)


def test_odd_texts_and_what_media_are_for():
    assert ProtocolError(-32602, HALF).message == str(ToolError(HALF)) == "x\\ud800"
    media = Media(WAV, "audio/wav", audience=("user",), priority=0.5, last_modified="2026-01-01")
    (found,) = on_the_wire(from_handler(media, PLAIN, LIMIT))["content"]
    assert AudioContent.model_validate(found).data == b64encode(WAV).decode()
    assert found["annotations"] == {
        "audience": ["user"],
        "priority": 0.5,
        "lastModified": "2026-01-01",
    }
