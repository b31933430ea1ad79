"""Results as clients of older revisions of the protocol know them."""

import pytest
from mcp.shared.exceptions import MCPError
from tables import table

from mcpgen.runtime.results.revisions import result_for

LINK = {"type": "resource_link", "uri": "shop://a", "name": "n", "title": "T", "description": "D"}
AUDIO = {"type": "audio", "data": "eA==", "mimeType": "audio/wav"}
SOUND = {"uri": "resource://audio", "mimeType": "audio/wav", "blob": "eA=="}
TEXT = {"type": "text", "text": "t"}


@table(
    "version, link, audio",
    ("2024-11-05", True, True),
    ("2025-03-26", True, False),
    ("2025-06-18", False, False),
    ("2025-11-25", False, False),
    ("2026-07-28", False, False),
)
def test_a_block_that_a_revision_does_not_know_is_one_that_it_knows(version, link, audio):
    found = result_for(version, {"content": [TEXT, LINK, AUDIO]})
    older_link, older_audio = (
        {"type": "text", "text": "D: shop://a"},
        {"type": "resource", "resource": SOUND},
    )
    assert found == {
        "content": [TEXT, older_link if link else LINK, older_audio if audio else AUDIO]
    }


@pytest.mark.parametrize("left", ["title", "name", ""])
def test_a_link_is_told_by_what_it_has(left):
    named = {key: value for key, value in LINK.items() if key in ("type", "uri", left)}
    (found,) = result_for("2024-11-05", {"content": [named]})["content"]
    assert found["text"] == f"{named.get(left, '')}: shop://a"


@pytest.mark.parametrize("structured", [[1], None, "a", {"a": 1}])
def test_structure_that_is_no_object_is_in_one(structured):
    result = {"content": [], "structuredContent": structured}
    assert result_for("2026-07-28", result) == result
    wrapped = structured if isinstance(structured, dict) else {"result": structured}
    assert result_for("2025-11-25", result)["structuredContent"] == wrapped


def test_what_asks_back_is_an_error_to_clients_that_cannot_be_asked_so():
    asking = {"resultType": "input_required", "inputRequests": {}}
    assert result_for("2026-07-28", asking) == asking
    with pytest.raises(MCPError, match="clients before 2026-07-28"):
        result_for("2025-11-25", asking)
