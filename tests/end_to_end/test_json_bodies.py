"""`bodies.yaml`: JSON bodies as they are on the wire, and null distinct from absent in them."""

import json
from typing import Any

import pytest

from .servers import of_spec

HARD = "a/b?c#d&e=f +é%"
bodies = of_spec("bodies.yaml")

KINDS = {
    "mergePart": "application/merge-patch+json",
    "patchJob": "application/json-patch+json",
    "putSetting": "application/vnd.workshop.hours+json",
}
"""Media types of bodies that are not plain JSON."""

GIVEN: list[tuple[str, dict[str, Any]]] = [
    ("addPart", {"name": HARD}),
    ("addPart", {"name": "x", "stock": 0, "secret": "", "maker": {}}),
    ("addPart", {"name": "x", "colour": None}),
    ("mergePart", {"number": 1}),
    ("mergePart", {"number": 1, "stock": None, "name": "x"}),
    ("mergePart", {"number": 1, "maker": None}),
    ("mergePart", {"number": 1, "maker": {}}),
    ("mergePart", {"number": 1, "maker": {"name": None}}),
    ("patchJob", {"number": 1, "body": [{"op": "add", "path": "/a~1b", "value": {"b": [1, 2.5]}}]}),
    ("patchJob", {"number": 1, "body": [{"op": "add", "path": "/a", "value": None}]}),
    ("patchJob", {"number": 1, "body": [{"op": "remove", "path": "/a"}]}),
    ("startJob", {"number": 1, "at": "2027-02-01T09:30:00Z"}),
    ("resetJob", {"number": 1}),
    ("resetJob", {"number": 1, "reason": None}),
    ("putSetting", {"body": []}),
    ("putSetting", {"body": ["8-12"]}),
    ("putSetting", {"body": "always"}),
    ("putSetting", {"body": ""}),
    ("putSetting", {"body": 0}),
    ("putSetting", {"body": False}),
    ("putSetting", {"body": None}),
    ("cutJoint", {"body": {"kind": "dovetail", "tails": 3}}),
    ("cutJoint", {"body": {"kind": "mortise", "depth": 0.5}}),
    ("buildChair", {"body": {"name": "No. 14", "wood": "beech", "legs": 4, "armrests": False}}),
    ("measure", {"body": 12345678901234567890}),
    ("measure", {"body": "2 1/2 in"}),
    ("measure", {"body": "12"}),
    ("sendTree", {"name": "a", "parts": [{"name": "b", "parts": []}], "inside": {"name": "c"}}),
    ("sendTree", {"name": "a", "inside": None, "parts": [{"name": "b", "inside": None}]}),
    ("setPrices", {"body": {"currency": "EUR", "P-1": 2.5}}),
    ("setLabels", {"body": {"": "x", "a b": "", "c": None}}),
    ("sendExtras", {"name": "x", "anything": [1], "more": {"deep": True}, "self": 1, "ctx": 3}),
    ("sendExtras", {"name": "x", "body": 2}),
    ("sendExtras", {"name": "x", "anything": None, "more": None, "list": [None, {"a": None}]}),
    ("markPoint", {"at": [0, 1200], "by": "IF", "not_by": "anybody"}),
]


@pytest.mark.parametrize(("tool", "arguments"), GIVEN)
def test_json_is_sent_as_it_is_given(bodies, tool, arguments):
    """Null is sent, and what is absent is not."""
    request = bodies.call(tool, arguments).request
    assert request.header("Content-Type") == KINDS.get(tool, "application/json")
    body = {name: value for name, value in arguments.items() if name != "number"}
    wanted = body["body"] if list(body) == ["body"] else body
    written = json.loads(json.dumps(wanted), parse_float=lambda text: f"float {text}")
    assert request.json == written
    assert isinstance(request.json, type(written))


def test_texts_that_are_or_look_like_json(bodies):
    request = bodies.call("buildChair", {"body": '{"name": "x", "legs": 3}'}).request
    assert request.json == {"name": "x", "legs": 3}
    assert bodies.call("addPart", {"name": '{"a": 1}'}).request.json == {"name": '{"a": 1}'}
    assert bodies.call("putSetting", {"body": '["x"]'}).request.json == '["x"]'
