"""`bodies.yaml`: JSON bodies as they are on the wire, and null distinct from absent in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .servers import Server

HARD = "a/b?c#d&e=f +é%"


@pytest.fixture(scope="module")
def bodies(generated: Callable[[str], Server]) -> Server:
    return generated("bodies.yaml")


JSON_BODIES: list[tuple[str, dict[str, Any], str, Any]] = [
    ("addPart", {"name": HARD}, "application/json", {"name": HARD}),
    (
        "addPart",
        {"name": "x", "stock": 0, "secret": "", "maker": {}},
        "application/json",
        {"name": "x", "stock": 0, "secret": "", "maker": {}},
    ),
    (
        "patchJob",
        {
            "number": 1,
            "body": [
                {"op": "add", "path": "/a~1b", "value": {"b": [1, 2.5, True, "x"]}},
                {"op": "move", "from": "/c", "path": "/d"},
            ],
        },
        "application/json-patch+json",
        [
            {"op": "add", "path": "/a~1b", "value": {"b": [1, "float 2.5", True, "x"]}},
            {"op": "move", "from": "/c", "path": "/d"},
        ],
    ),
    (
        "startJob",
        {"number": 1, "at": "2027-02-01T09:30:00Z"},
        "application/json",
        {"at": "2027-02-01T09:30:00Z"},
    ),
    ("resetJob", {"number": 1}, "application/json", {}),
    ("putSetting", {"body": []}, "application/vnd.workshop.hours+json", []),
    ("putSetting", {"body": ["8-12"]}, "application/vnd.workshop.hours+json", ["8-12"]),
    ("putSetting", {"body": "always"}, "application/vnd.workshop.hours+json", "always"),
    ("putSetting", {"body": ""}, "application/vnd.workshop.hours+json", ""),
    ("putSetting", {"body": 0}, "application/vnd.workshop.hours+json", 0),
    ("putSetting", {"body": False}, "application/vnd.workshop.hours+json", False),
    (
        "cutJoint",
        {"body": {"kind": "dovetail", "tails": 3}},
        "application/json",
        {"kind": "dovetail", "tails": 3},
    ),
    (
        "cutJoint",
        {"body": {"kind": "mortise", "depth": 0.5}},
        "application/json",
        {"kind": "mortise", "depth": "float 0.5"},
    ),
    (
        "buildChair",
        {"body": {"name": "No. 14", "wood": "beech", "legs": 4, "armrests": False}},
        "application/json",
        {"name": "No. 14", "wood": "beech", "legs": 4, "armrests": False},
    ),
    ("measure", {"body": 12345678901234567890}, "application/json", 12345678901234567890),
    ("measure", {"body": "2 1/2 in"}, "application/json", "2 1/2 in"),
    ("measure", {"body": "12"}, "application/json", "12"),
    (
        "sendTree",
        {"name": "a", "parts": [{"name": "b", "parts": []}], "inside": {"name": "c"}},
        "application/json",
        {"name": "a", "parts": [{"name": "b", "parts": []}], "inside": {"name": "c"}},
    ),
    (
        "setPrices",
        {"body": {"currency": "EUR", "P-1": 2.5}},
        "application/json",
        {"currency": "EUR", "P-1": "float 2.5"},
    ),
    ("setLabels", {"body": {"": "x", "a b": ""}}, "application/json", {"": "x", "a b": ""}),
    (
        "sendExtras",
        {"name": "x", "anything": [1], "more": {"deep": True}, "self": 1, "body": 2, "ctx": 3},
        "application/json",
        {"name": "x", "anything": [1], "more": {"deep": True}, "self": 1, "body": 2, "ctx": 3},
    ),
    (
        "markPoint",
        {"at": [0, 1200], "by": "IF", "not_by": "anybody"},
        "application/json",
        {"at": [0, 1200], "by": "IF", "not_by": "anybody"},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "kind", "body"), JSON_BODIES)
def test_json(
    bodies: Server, tool: str, arguments: dict[str, Any], kind: str, body: object
) -> None:
    request = bodies.call(tool, arguments).request
    assert request.header("Content-Type") == kind
    assert request.json == body
    assert isinstance(request.json, type(body))


NULLS: list[tuple[str, dict[str, Any], Any]] = [
    ("addPart", {"name": "x", "colour": None}, {"name": "x", "colour": None}),
    ("mergePart", {"number": 1}, {}),
    ("mergePart", {"number": 1, "colour": None}, {"colour": None}),
    ("mergePart", {"number": 1, "stock": None, "name": "x"}, {"name": "x", "stock": None}),
    ("mergePart", {"number": 1, "maker": None}, {"maker": None}),
    ("mergePart", {"number": 1, "maker": {}}, {"maker": {}}),
    ("mergePart", {"number": 1, "maker": {"name": None}}, {"maker": {"name": None}}),
    (
        "patchJob",
        {"number": 1, "body": [{"op": "add", "path": "/a", "value": None}]},
        [{"op": "add", "path": "/a", "value": None}],
    ),
    (
        "patchJob",
        {"number": 1, "body": [{"op": "remove", "path": "/a"}]},
        [{"op": "remove", "path": "/a"}],
    ),
    ("resetJob", {"number": 1, "reason": None}, {"reason": None}),
    ("putSetting", {"body": None}, None),
    (
        "sendTree",
        {"name": "a", "inside": None, "parts": [{"name": "b", "inside": None}]},
        {"name": "a", "inside": None, "parts": [{"name": "b", "inside": None}]},
    ),
    ("setLabels", {"body": {"a": None, "b": "x"}}, {"a": None, "b": "x"}),
    ("sendExtras", {"name": "x", "anything": None}, {"name": "x", "anything": None}),
    (
        "sendExtras",
        {"name": "x", "more": None, "list": [None, {"a": None}]},
        {"name": "x", "more": None, "list": [None, {"a": None}]},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "body"), NULLS)
def test_null_is_sent_and_absent_is_not(
    bodies: Server, tool: str, arguments: dict[str, Any], body: object
) -> None:
    request = bodies.call(tool, arguments).request
    assert request.json == body
    assert request.header("Content-Type") is not None


NOT_NULL: list[tuple[str, dict[str, Any], str]] = [
    ("addPart", {"name": None}, "name"),
    ("addPart", {"name": "x", "stock": None}, "stock"),
    ("startJob", {"number": 1, "at": None}, "at"),
    ("cutJoint", {"body": None}, "body"),
    ("measure", {"body": None}, "body"),
    ("orderForm", {"item": None}, "item"),
    ("orderForm", {"item": "x", "sizes": None}, "sizes"),
    ("uploadDrawing", {"drawing": None}, "drawing"),
    ("writeNote", {"body": None}, "body"),
    ("appendLog", {"body": None}, "body"),
    ("sendCutList", {"body": None}, "body"),
    ("putModel", {"number": 1, "body": None}, "body"),
    ("putPhoto", {"number": 1, "body": None}, "body"),
]


@pytest.mark.parametrize(("tool", "arguments", "named"), NOT_NULL)
def test_null_is_refused_where_the_schema_has_none(
    bodies: Server, tool: str, arguments: dict[str, Any], named: str
) -> None:
    assert named in bodies.call(tool, arguments).refused


def test_an_object_that_arrives_as_its_json_text(bodies: Server) -> None:
    request = bodies.call("buildChair", {"body": '{"name": "x", "legs": 3}'}).request
    assert request.json == {"name": "x", "legs": 3}


def test_a_text_that_looks_like_json_stays_a_text(bodies: Server) -> None:
    assert bodies.call("addPart", {"name": '{"a": 1}'}).request.json == {"name": '{"a": 1}'}
    assert bodies.call("putSetting", {"body": '["x"]'}).request.json == '["x"]'
