"""`bodies.yaml`: JSON bodies as they are on the wire, and null distinct from absent in them."""

import json

import pytest

from .servers import of_spec, read

HARD = "a/b?c#d&e=f +é%"
bodies = of_spec("bodies.yaml")

KINDS = {
    "mergePart": "application/merge-patch+json",
    "patchJob": "application/json-patch+json",
    "putSetting": "application/vnd.workshop.hours+json",
}
"""Media types of bodies that are not plain JSON."""


@pytest.mark.parametrize("given", read("json-bodies"), ids=str)
def test_json_is_sent_as_it_is_given(bodies, given):
    """Null is sent, and what is absent is not."""
    ((tool, arguments),) = given.items()
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
