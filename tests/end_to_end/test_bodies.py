"""`bodies.yaml`: forms, files and texts as bodies, null distinct from absent in each of them."""

import json
from base64 import b64encode
from typing import Any

import pytest
from tables import table

from .servers import of_spec
from .upstream import Seen

HARD = "a/b?c#d&e=f +é%"
PNG = b"\x89PNG\r\n\x1a\n\0\xff--boundary\r\n"
JPEG = b"\xff\xd8\xff\xe0\0\r\n"
bodies = of_spec("bodies.yaml")


def base64(content: bytes) -> str:
    return b64encode(content).decode()


def media_type(request: Seen) -> str:
    return (request.header("Content-Type") or "").partition(";")[0].strip()


def test_an_urlencoded_form(bodies):
    arguments = {
        "item": HARD,
        "count": 2,
        "express": True,
        "sizes": [40, 42],
        "labels": ["a&b", "c"],
        "address": {"street": "Quay 1", "town": "Bergen"},
        "options": {"oiled": False, "wood": "ash & oak"},
    }
    form = bodies.call("orderForm", arguments).request.form
    address = form.pop(next(i for i, (name, _) in enumerate(form) if name == "address"))
    assert json.loads(address[1]) == {"street": "Quay 1", "town": "Bergen"}
    assert form == [
        ("item", HARD),
        ("count", "2"),
        ("express", "true"),
        ("sizes", "40"),
        ("sizes", "42"),
        ("labels", "a&b|c"),
        ("options[oiled]", "false"),
        ("options[wood]", "ash & oak"),
    ]


def test_null_in_a_form_is_empty_and_within_its_json_is_null(bodies):
    # The `undefined` column of OpenAPI's style table: `form` writes the name and nothing.
    address = {"street": "Quay 1", "town": None}
    request = bodies.call("orderForm", {"item": "x", "wish": None, "address": address}).request
    assert request.form[:2] == [("item", "x"), ("wish", "")]
    ((name, text),) = request.form[2:]
    assert name == "address"
    assert json.loads(text) == address
    material = {"wood": "ash", "thickness": None}
    arguments = {"drawing": base64(PNG), "remarks": None, "material": material}
    parts = {part.name: part for part in bodies.call("uploadDrawing", arguments).request.parts}
    assert set(parts) == {"drawing", "remarks", "material"}
    assert parts["remarks"].content == b""
    assert json.loads(parts["material"].content) == material
    request = bodies.call("orderForm", {"item": "", "sizes": [], "wish": ""}).request
    assert request.form == [("item", ""), ("wish", "")]


def test_a_multipart_form(bodies):
    arguments = {
        "drawing": base64(PNG),
        "details": [base64(JPEG), base64(JPEG + b"2")],
        "title": HARD,
        "scale": 1.5,
        "tags": ["a,b", "c"],
        "material": {"wood": "ash", "thickness": 18},
        "remarks": "*é*\r\n--",
    }
    parts = bodies.call("uploadDrawing", arguments).request.parts
    assert [(part.name, part.filename, part.content_type, part.content) for part in parts] == [
        ("drawing", "drawing.png", "image/png", PNG),
        ("details", "details.jpg", "image/jpeg", JPEG),
        ("details", "details.jpg", "image/jpeg", JPEG + b"2"),
        ("title", None, None, HARD.encode()),
        ("scale", None, None, b"1.5"),
        ("tags", None, None, b"a,b"),
        ("tags", None, None, b"c"),
        ("material", None, "application/json", b'{"wood":"ash","thickness":18}'),
        ("remarks", None, "text/markdown", "*é*\r\n--".encode()),
    ]


@table(
    "tool, kind, text",
    ("writeNote", "text/plain", "Grüße\n\0 end "),
    ("writeNote", "text/plain", ""),
    ("sendCutList", "application/xml", '<?xml version="1.0"?><cutlist><cut>é</cut></cutlist>'),
    ("appendLog", "application/x-ndjson", '{"a": null}\n{"b":1}\n'),
)
def test_text_as_it_is(bodies, tool, kind, text):
    request = bodies.call(tool, {"body": text}).request
    assert request.body == text.encode()
    assert media_type(request) == kind


def test_several_media_types(bodies):
    arguments = bodies.arguments("describeModel")
    assert set(arguments) == {"number", "body"}
    # The form says nothing that JSON does not: only another kind of body is offered.
    assert [each["type"] for each in arguments["body"]["anyOf"]] == ["object", "string"]
    base = {"number": 3, "body": {"text": "x y"}}
    assert bodies.call("describeModel", base).request.json == {"text": "x y"}
    request = bodies.call("describeModel", {"number": 3, "body": "x y"}).request
    assert (media_type(request), request.body) == ("text/plain", b"x y")


ADDRESS = {"url": "https://x.example/1.png"}
FILE = {"photo": base64(PNG), "caption": HARD}
FORM = "multipart/form-data"


@table(
    "body, asked, sent",
    (ADDRESS, None, "application/json"),
    (ADDRESS, "application/json", "application/json"),
    (FILE, None, FORM),
    (ADDRESS | FILE, None, "application/json"),
    (ADDRESS | FILE, FORM, FORM),
)
def test_a_body_goes_out_in_the_media_type_that_it_fits(bodies, body, asked, sent):
    arguments = {"body": body, **({"content_type": asked} if asked else {})}
    request = bodies.call("addPhoto", arguments).request
    assert media_type(request) == sent
    if sent == FORM:
        assert {part.name: part.content for part in request.parts}["photo"] == PNG
    else:
        assert request.json == body


def test_a_media_type_that_the_body_does_not_fit_is_refused(bodies):
    given = {"body": ADDRESS, "content_type": FORM}
    refused = bodies.call("addPhoto", given).refused
    assert f"is {FORM}, and `body` does not fit that. It fits application/json." in refused


def test_read_only_properties_are_arguments_only_where_they_are_required(bodies):
    """In OpenAPI 3.1 `required` holds in both directions; before, they must not be sent."""
    arguments = bodies.arguments("addPart")
    assert set(arguments) == {"id", "name", "colour", "stock", "secret", "maker"}
    assert bodies.call("addPart", {"name": "x", "id": 1}).request.json == {"name": "x", "id": 1}
    schema = bodies.tools["addPart"].input_schema
    maker = schema["properties"]["maker"]
    if "$ref" in maker:
        maker = schema["$defs"][maker["$ref"].rpartition("/")[2]]
    assert set(maker["properties"]) == {"id", "name"}
    assert "id" not in maker.get("required", [])


def test_a_file_only_from_the_allowed_folder(bodies, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(PNG)
    (tmp_path / "out.png").write_bytes(b"secret")
    root = str(tmp_path / "in")
    inside = {"drawing": f"file://{root}/a.png"}
    (part,) = bodies.call("uploadDrawing", inside, file_root=root).request.parts
    assert (part.filename, part.content) == ("a.png", PNG)
    assert "drawing" in bodies.call("uploadDrawing", inside).refused
    for path in (f"{root}/../out.png", f"{tmp_path}/out.png", "/etc/passwd"):
        outside = {"drawing": f"file://{path}"}
        assert "drawing" in bodies.call("uploadDrawing", outside, file_root=root).refused


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("sendTree", {"name": "a", "parts": [{"name": "b", "parts": [{}]}]}, "parts"),
    ("patchJob", {"number": 1, "body": []}, "body"),
    ("orderForm", {"item": "x", "count": "two"}, "count"),
    ("putModel", {"number": 3, "body": "not base64!"}, "body"),
    ("addPhoto", {"body": {}}, "`url` or `photo`"),
    ("addPhoto", {"body": {"caption": "x"}}, "body.photo"),
]


@pytest.mark.parametrize(("tool", "arguments", "named"), REFUSED)
def test_what_the_schema_refuses_is_not_sent(bodies, tool, arguments, named):
    assert named in bodies.call(tool, arguments).refused
