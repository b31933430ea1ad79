"""The models: what they say, that they import and type-check, and that no text in them is code."""

import re
from typing import Any, NotRequired, get_type_hints

from api_building import api, reading, ref, tool
from model_writing import TEXT, check, load, models, obj, source
from tables import table

from mcpgen.api import Schema
from mcpgen.format import format_files


def test_a_small_api_is_one_readable_module():
    pet = {
        **obj(id={"type": "integer"}, name=TEXT, owner=obj(name=TEXT), status=ref("Status")),
        "required": ["id"],
        "description": "An animal.\n\nSecond paragraph.",
    }
    assert source(Pet=pet, Status={"enum": ["a", "b"]}, Pets={"items": ref("Pet")}) == (
        '''"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class PetOwner(TypedDict):
    name: NotRequired[str]


Status: TypeAlias = Literal["a", "b"]


class Pet(TypedDict):
    """An animal."""

    id: int
    name: NotRequired[str]
    owner: NotRequired[PetOwner]
    status: NotRequired[Status]


Pets: TypeAlias = list[Pet]
'''
    )


@table(
    "given, told",
    (
        "# Pet\n\nA *pet* with [an owner](/docs/owner), see `Owner`.",
        "A pet with an owner, see Owner.",
    ),
    ("<p>A <b>pet</b>.</p><p>More.</p>", "A pet."),
    ("**Pets**", "Pets"),
    ("2 * 3 * 4 < 30", "2 * 3 * 4 < 30"),
)
def test_a_docstring_has_no_markup(given, told):
    assert f'"""{told}"""' in source(Pet={**obj(name=TEXT), "description": given})


def test_a_long_docstring_ends_with_a_whole_word():
    text = f"{'word ' * 78}http://docs.oasis-open.org/cap"
    assert "word…" in models_text(text)
    assert "oasis" not in models_text(text)


def test_a_long_docstring_without_blanks_is_cut_and_wrapped():
    lines = models_text("这是一个很长的描述" * 60).splitlines()
    said = [line.strip() for line in lines if not line.isascii()]
    assert said[-1].endswith("…")
    assert len("".join(said)) == 400
    assert max(map(len, said)) <= 44


def models_text(description: str) -> str:
    return source(Pet={**obj(name=TEXT), "description": description})


def test_an_api_without_schemas_has_an_empty_module():
    assert models(api(tool("a"))).files == {
        "models.py": '"""The types of the API\'s arguments and answers."""\n'
    }


HOSTILE = [
    "a'b\"c\\", '"""', "\n", "\r\n", "\0", "a\u202eb", "\u2028", "ﬁx", "naïve", "日本", "\ud800",
    "{{ 7 * 7 }}", "{% raw %}", "$ref", "", "class", "__private", "l", "I", "_protected", "_",
    "_1", "1_", "field_protected", "model_config", "copy", "items", "__class__", "self", "Any",
    "NotRequired", "TypedDict", "int", "list", "str", "Pet", "-1", "x" * 500, "x'); import os #",
    "first-name", "# type: ignore", "\\N{BULLET}",
]  # fmt: skip


def test_property_names_are_not_altered():
    other = {"other": {"items": {}}}
    names = {f"Pet{number}": name for number, name in enumerate(HOSTILE)} | {"Pet": "Pet"}
    text = source(**{
        pet: {**obj(**{name: TEXT}, **other), "required": [name]} for pet, name in names.items()
    })  # fmt: skip
    found = load(text)
    for pet, name in names.items():
        hints = get_type_hints(found[pet], found, include_extras=True)
        assert hints == {name: str, "other": NotRequired[list[Any]]}
    assert all(c.isprintable() or c == "\n" for c in text)


def test_hostile_text_is_text(tmp_path):
    text = " ".join(HOSTILE)
    schemas: dict[str, Schema] = {
        "Names": {**obj(**dict.fromkeys(HOSTILE, TEXT)), "description": text},
        **{f"Name{index}": obj(**{name: TEXT}) for index, name in enumerate(HOSTILE)},
        "Described": {**obj(a=TEXT), "description": text + "\\"},
        "Quoted": {**obj(a=TEXT), "description": 'ends with "'},
        "Long": {**obj(a=TEXT), "description": "https://example.com/" + "x" * 300},
        "Values": {"enum": [v for v in HOSTILE if v != "\ud800"]},
        **{f"{name}Schema": obj(a=TEXT) for name in HOSTILE},
        **{name: obj(a=TEXT) for name in HOSTILE},
    }
    check(models(reading(schemas)).files, tmp_path)


def test_everything_at_once_is_clean(tmp_path):
    base = {**obj(id=TEXT, kind={"enum": ["a", "b"]}), "required": ["kind"]}
    schemas: dict[str, Schema] = {
        "Base": base,
        "Tight": {"allOf": [ref("Base"), obj(kind={"const": "a"}, **{"x-y": ref("Tree")})]},
        "Tree": {"anyOf": [TEXT, {"type": "array", "items": ref("Tree")}, ref("Tight")]},
        "Map": {"type": "object", "additionalProperties": {"anyOf": [ref("Map"), ref("Node")]}},
        "Node": obj(next=ref("Node"), other={"anyOf": [ref("Node"), {"type": "null"}]}),
        "Nullable": {**obj(a=TEXT), "type": ["object", "null"]},
        "Number": {"enum": [-1, 0, 1]},
        "Anything": {},
        "Recursive": {"items": {"type": ["array", "string"], "items": ref("Recursive")}},
    }
    check(models(reading(schemas)).files, tmp_path)


def test_a_list_that_holds_itself_keeps_its_items(tmp_path):
    number = {"type": "number"}
    schemas: dict[str, Schema] = {
        "Tensor": {"type": "array", "items": {"anyOf": [ref("Tensor"), number]}},
        "Nested": {"type": "array", "items": {"type": "array", "items": ref("Nested")}},
        "Ping": {"type": "array", "items": {"anyOf": [ref("Pong"), number]}},
        "Pong": {"type": "array", "items": {"anyOf": [ref("Ping"), TEXT]}},
        "Use": obj(tensor=ref("Tensor"), nested=ref("Nested"), ping=ref("Ping")),
    }
    check(models(reading(schemas)).files, tmp_path)
    text = source(**schemas)
    assert 'Tensor: TypeAlias = list[Union["Tensor", float]]' in text
    assert 'Nested: TypeAlias = list[list["Nested"]]' in text


def test_properties_with_the_names_of_types_change_no_other_types(tmp_path):
    number = {"type": "integer"}
    files = models(
        reading(
            {
                "Plain": obj(first=TEXT, second=TEXT, third=number, pet=ref("Pet")),
                "Builtins": obj(first=TEXT, str=number, second=TEXT, int=TEXT, third=number),
                "Pet": obj(first=TEXT, Pet=ref("Pet"), pet=ref("Pet"), Plain=TEXT),
                "Late": obj(first=TEXT, third=number, pet=ref("Pet"), Any=TEXT),
            }
        )
    ).files
    check(files, tmp_path)
    text = format_files(files)["models.py"]
    for key, written in (("first", "str"), ("second", "str"), ("third", "int"), ("pet", "Pet")):
        assert set(re.findall(rf'\b{key}"?: ([^\n,]+)', text)) == {f"NotRequired[{written}]"}


def test_a_type_is_no_string_where_it_need_not_be_one(tmp_path):
    tree = obj(**{"$ref": TEXT, "nodes": {"type": "object", "additionalProperties": ref("Tree")}})
    method = obj(a=TEXT, nodes=tree["properties"]["nodes"])
    files = models(reading({"Tree": tree, "Method": method})).files
    check(files, tmp_path)
    assert "nodes: NotRequired[dict[str, Tree]]" in files["models.py"]


def test_a_union_of_a_call_is_written_as_usual_in_a_class(tmp_path):
    maybe = {"anyOf": [ref("Knot"), {"type": "null"}]}
    knot = obj(**{"x-y": maybe, "rope": ref("Rope")})
    files = models(reading({"Knot": knot, "Rope": obj(end=maybe)})).files
    check(files, tmp_path)
    assert "end: NotRequired[Knot | None]" in files["models.py"]


def test_annotations_name_what_they_need():
    pet, status = obj(name=TEXT), {"enum": ["a", "b"]}
    body = obj(name=TEXT)
    document = api(
        tool("add", {"body": body, "status": status, "tags": True}, result=ref("Pet")),
        schemas={"Pet": pet},
    )
    types = models(document)
    assert types.annotate(body, "add", "body").text == "AddBody"
    assert types.annotate(body, "add", "body").classes == {"AddBody"}
    assert types.annotate(status, "add", "status").text == 'Literal["a", "b"]'
    assert types.annotate(status, "add", "status").literal
    assert types.annotate(True, "add", "tags").any
    assert types.annotate(ref("Pet"), "add", "result").classes == {"Pet"}


def test_a_schema_that_was_not_seen_before_is_annotated_without_a_class():
    types = models(
        api(tool("add", result=ref("Pet")), schemas={"Pet": obj(a=TEXT), "Dog": obj(a=TEXT)})
    )
    assert types.annotate(obj(a=TEXT), "else", "where").text == "dict[str, Any]"
    assert types.annotate({"items": ref("Dog")}, "else", "where").text == "list[dict[str, Any]]"
    assert types.annotate({"items": ref("Pet")}, "else", "where").text == "list[Pet]"


def test_an_argument_that_is_called_result_is_not_the_result():
    argument, result = obj(a=TEXT), obj(b=TEXT)
    types = models(api(tool("add", {"result": argument}, result=result)))
    one, two = types.annotate(argument, "add", "result"), types.annotate(result, "add", "result")
    assert one.text != two.text
    assert {one.text, two.text} <= set(load(types.files["models.py"]))
