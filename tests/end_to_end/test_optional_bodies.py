"""Bodies that may be left out: their properties are arguments, and none of them is no body."""

import json
from base64 import b64encode
from itertools import chain, combinations

import pytest
from jsonschema import Draft202012Validator
from tables import listed, table

from .servers import of_document

NEEDED = ["parent", "name"]
PNG = b"\x89PNG\r\n\x1a\n"
drawers = of_document("drawers")


@pytest.mark.parametrize("tool", ["post_json", "post_form", "post_files", "post_open"])
def test_a_body_of_which_nothing_is_given_is_not_sent(drawers, tool):
    for arguments, query in (({}, ""), ({"notify": True}, "?notify=true")):
        request = drawers.call(tool, arguments).request
        assert request.target == f"/{tool.removeprefix('post_')}{query}"
        assert request.body == b""
        assert request.header("Content-Type") is None


@listed("tool, arguments, body", __file__, "what is given of a body is sent")
def test_what_is_given_of_a_body_is_sent(drawers, tool, arguments, body):
    request = drawers.call(tool, arguments).request
    assert request.json == body
    assert request.header("Content-Type") == "application/json"


@table(
    "arguments, named",
    ({"size": 1}, "`parent`"),
    ({"name": "n"}, "`parent`"),
    ({"parent": "p", "notify": True}, "`name`"),
    ({"size": None, "parent": "p"}, "`name`"),
)
def test_a_part_of_a_body_is_refused_without_what_it_needs(drawers, arguments, named):
    assert named in drawers.call("post_json", arguments).refused


@pytest.mark.parametrize(("tool", "needed"), [("post_json", NEEDED), ("post_form", [])])
def test_the_input_schema_accepts_a_whole_body_or_none(drawers, tool, needed):
    schema = drawers.tools[tool].input_schema
    Draft202012Validator.check_schema(schema)
    assert "required" not in schema
    validator = Draft202012Validator(schema)
    values = {"name": "n", "parent": "p", "size": 1, "if_given": "x"}
    for names in chain.from_iterable(combinations(values, n) for n in range(len(values) + 1)):
        given = {name: values[name] for name in names}
        whole = not names or set(needed) <= set(names)
        assert validator.is_valid(given) == whole, names
        assert validator.is_valid({**given, "notify": True}) == whole, names


def test_handlers_and_the_servers_own_tests_know_it(drawers):
    folder = drawers.folder / drawers.package / "handlers"
    assert "form=if_given(" in "".join(path.read_text() for path in folder.glob("*.py"))
    data = json.loads((drawers.folder / "tests" / "cases.json").read_text())
    cases = {(c["tool"], c["kind"]): c for c in data["cases"] if c["tool"] == "post_json"}
    assert cases["post_json", "required"]["request"]["body"] is None
    assert "content-type" not in cases["post_json", "required"]["request"]["headers"]
    full = cases["post_json", "full"]["request"]["body"]["json"]
    assert set(full) == {"name", "parent", "size", "if_given"}
    nulls = cases["post_json", "null"]["request"]["body"]["json"]
    assert (set(nulls), nulls["size"]) == ({"name", "parent", "size"}, None)
    wrong = [c for c in data["cases"] if c["tool"] == "post_json" and c["kind"] == "invalid"]
    assert any(c["mentions"] == ["parent"] and "parent" not in c["arguments"] for c in wrong)


def test_forms_and_whole_bodies(drawers):
    assert drawers.call("post_form", {"size": 3}).request.form == [("size", "3")]
    (part,) = drawers.call("post_files", {"file": b64encode(PNG).decode()}).request.parts
    assert (part.name, part.content, part.content_type) == ("file", PNG, "image/png")
    assert drawers.tools["post_json"].input_schema["dependentRequired"] == {
        "name": ["parent"],
        "parent": ["name"],
        "size": ["parent"],
        "if_given": ["parent"],
    }
    assert "dependentRequired" not in drawers.tools["post_form"].input_schema
    # `dependentRequired` cannot name the arguments that the document does not declare.
    assert set(drawers.arguments("post_more")) == {"notify", "body"}
