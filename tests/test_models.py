"""The models: what they say, that they import and type-check, and that no text in them is code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NotRequired, get_type_hints

import pytest
from api_building import api, decide, reading, ref, tool
from mypy import api as mypy

from mcpgen.api import Api, Schema
from mcpgen.diagnostics import Diagnostics
from mcpgen.format import format_files
from mcpgen.models import Models, Worker, generate
from mcpgen.models import run as models_run
from mcpgen.models.kinds import Kinds
from mcpgen.models.modules import FOLDER_SIZE

TEXT = {"type": "string"}


def obj(**properties: Schema) -> dict[str, Any]:
    """An object with these properties."""
    return {"type": "object", "properties": properties}


def models(document: Api, **options: Any) -> Models:
    return generate(document, decide(document), **options)


def source(**schemas: Schema) -> str:
    """The formatted `models.py` of these schemas."""
    files = models(reading(schemas)).files
    return format_files(files)["models.py"]


def load(text: str) -> dict[str, Any]:
    """The names a module defines."""
    module = ModuleType("loaded_models")
    sys.modules[module.__name__] = module
    exec(compile(text, "models.py", "exec"), module.__dict__)
    return module.__dict__


def check(files: Mapping[str, str], folder: Path) -> None:
    """Write the files, and assert that ruff, mypy and every import are content."""
    for path, text in format_files(files).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    rules = ["--isolated", "--select", "E,F,I,UP,B", "--line-length", "100"]
    ruff = ["ruff", "check", "--no-cache", "--target-version", "py311", *rules, str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", *ruff], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    paths = [str(folder / path) for path in files]
    cache = folder.parent / "mypy-cache"  # of what Python itself declares, and of all these tests
    out, errors, status = mypy.run(["--strict", "--cache-dir", str(cache), *paths])
    assert status == 0, out + errors
    names = [path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in files]
    subprocess.run([sys.executable, "-c", EACH_ALONE, *names], cwd=folder, check=True)


EACH_ALONE = """
import importlib, sys
there = set(sys.modules)
for name in sys.argv[1:]:
    importlib.import_module(name)
    for loaded in set(sys.modules) - there:
        if loaded.partition(".")[0] in ("models", "use"):
            del sys.modules[loaded]
"""
"""Imports each module as if it were the first; only what is generated is loaded again."""


def test_a_small_api_is_one_readable_module() -> None:
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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            "# Pet\n\nA *pet* with [an owner](/docs/owner), see `Owner`.",
            "A pet with an owner, see Owner.",
        ),
        ("<p>A <b>pet</b>.</p><p>More.</p>", "A pet."),
        ("**Pets**", "Pets"),
        ("2 * 3 * 4 < 30", "2 * 3 * 4 < 30"),
    ],
)
def test_a_docstring_has_no_markup(given: str, told: str) -> None:
    assert f'"""{told}"""' in source(Pet={**obj(name=TEXT), "description": given})


def test_a_long_docstring_ends_with_a_whole_word() -> None:
    text = f"{'word ' * 78}http://docs.oasis-open.org/cap"
    assert "word…" in models_text(text)
    assert "oasis" not in models_text(text)


def test_a_long_docstring_without_blanks_is_cut_and_wrapped() -> None:
    lines = models_text("这是一个很长的描述" * 60).splitlines()
    said = [line.strip() for line in lines if not line.isascii()]
    assert said[-1].endswith("…")
    assert len("".join(said)) == 400
    assert max(map(len, said)) <= 44


def models_text(description: str) -> str:
    return source(Pet={**obj(name=TEXT), "description": description})


def test_an_api_without_schemas_has_an_empty_module() -> None:
    assert models(api(tool("a"))).files == {
        "models.py": '"""The types of the API\'s arguments and answers."""\n'
    }


HOSTILE = [
    "a'b\"c\\",
    '"""',
    "\n",
    "\r\n",
    "\0",
    "a\u202eb",
    "\u2028",
    "ﬁx",
    "naïve",
    "日本",
    "\ud800",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "$ref",
    "",
    "class",
    "__private",
    "l",
    "I",
    "_protected",
    "_",
    "_1",
    "1_",
    "field_protected",
    "model_config",
    "copy",
    "items",
    "__class__",
    "self",
    "Any",
    "NotRequired",
    "TypedDict",
    "int",
    "list",
    "str",
    "Pet",
    "-1",
    "x" * 500,
    "x'); import os #",
    "first-name",
    "# type: ignore",
    "\\N{BULLET}",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_property_names_are_not_altered(name: str) -> None:
    text = source(Pet={**obj(**{name: TEXT, "other": {"items": {}}}), "required": [name]})
    pet = load(text)["Pet"]
    hints = get_type_hints(pet, include_extras=True)
    assert hints == {name: str, "other": NotRequired[list[Any]]}
    assert all(c.isprintable() or c == "\n" for c in text)


def test_hostile_text_is_text(tmp_path: Path) -> None:
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


def test_everything_at_once_is_clean(tmp_path: Path) -> None:
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


def test_a_list_that_holds_itself_keeps_its_items(tmp_path: Path) -> None:
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


def many(count: int) -> dict[str, Schema]:
    """Schemas with names of every initial, which refer to each other in every way."""
    keys = [f"{chr(65 + n % 26)}{n}" for n in range(count)]
    schemas: dict[str, Schema] = {}
    for index, key in enumerate(keys):
        following = ref(keys[(index + 1) % count])
        schemas[key] = (
            obj(a=following, b={"items": following}),
            obj(**{"x-y": {"anyOf": [following, {"type": "null"}]}}),
            {"anyOf": [following, {"type": "array", "items": following}]},
        )[index % 3]
    return schemas


def test_properties_with_the_names_of_types_change_no_other_types(tmp_path: Path) -> None:
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


def test_a_large_api_is_a_folder(tmp_path: Path) -> None:
    assert set(models(reading(many(FOLDER_SIZE))).files) == {"models.py"}
    document = reading(many(FOLDER_SIZE + 1))
    files = models(document).files
    assert set(files) == {
        "models/__init__.py",
        *(f"models/{chr(97 + n)}.py" for n in range(26)),
    }
    files = {
        **files,
        "use.py": "from models import A0, B1\n\nx: A0 = {'a': {'x-y': None}}\nprint(x, B1)\n",
    }
    check(files, tmp_path)


def test_a_type_is_no_string_where_it_need_not_be_one(tmp_path: Path) -> None:
    tree = obj(**{"$ref": TEXT, "nodes": {"type": "object", "additionalProperties": ref("Tree")}})
    method = obj(a=TEXT, nodes=tree["properties"]["nodes"])
    files = models(reading({"Tree": tree, "Method": method})).files
    check(files, tmp_path)
    assert "nodes: NotRequired[dict[str, Tree]]" in files["models.py"]


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="types are written in the same process")
def test_a_worker_writes_what_this_process_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpgen.models.modules.FOLDER_SIZE", 50)
    document = reading(many(78))
    alone = dict(models(document).files)
    write, here = models_run.run, os.getpid()
    monkeypatch.setattr(models_run, "run", lambda s: write(s) if os.getpid() != here else None)
    assert dict(models(document, worker=Worker()).files) == alone


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="types are written in the same process")
def test_a_dead_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    document = reading(many(60))
    write, here = models_run.run, os.getpid()
    monkeypatch.setattr(
        models_run, "run", lambda s: write(s) if os.getpid() == here else os._exit(1)
    )
    space = load(models(document, worker=Worker()).files["models.py"])
    assert {"A0", "B1", "H59"} <= set(space)


def test_types_are_what_the_generator_writes_when_it_is_asked_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked for an example of each kind; the others are made like it."""
    either = {"anyOf": [ref("Pet"), ref("Tree"), TEXT, {"enum": [1, -2, True]}]}
    kinds: list[Schema] = [
        TEXT,
        ref("Pet"),
        ref("Tree"),
        either,
        {"enum": ["a", 'b"', "c\\", "d'", "{e}", "{0}"]},
        {"enum": ["f{", 1]},
        {"enum": ["f", 1]},
        {"anyOf": [{"enum": ["x"]}, {"type": "null"}]},
        {"items": {"enum": ["y", "z"]}},
        {"type": "object", "additionalProperties": {"anyOf": [ref("Tree"), ref("Pet")]}},
        {"type": "object", "additionalProperties": {"anyOf": [ref("Pet"), ref("Pet"), TEXT]}},
    ]
    texts = ["", "One line.", "Words, " * 40, 'With "quotes" and \\.', "{0} {braces}"]
    documents = {
        **{f"{'AB'[n % 2]}{n}": {**kind, "description": "."} for n, kind in enumerate(kinds * 2)},
        **{
            f"O{n}": {
                **obj(**{f"p{i}": kinds[(n + i) % len(kinds)] for i in range(n % 4)}),
                "required": [f"p{n % 3}"],
                "description": texts[n % len(texts)],
            }
            for n in range(60)
        },
        "Tree": obj(**{"a-b": ref("Tree"), "c": ref("Pet"), "d": {"items": ref("Tree")}}),
        "Pet": obj(**{"a": ref("Pet"), "b": TEXT, "class": ref("Tree")}),
    }
    document = reading(documents)
    examples = models(document).files["models.py"]
    monkeypatch.setattr(Kinds, "_examples", lambda kinds: kinds._schemas.items())
    assert models(document).files["models.py"] == examples
    assert "NotRequired[Pet | Tree | str" in examples


def test_a_union_of_a_call_is_written_as_usual_in_a_class(tmp_path: Path) -> None:
    maybe = {"anyOf": [ref("Knot"), {"type": "null"}]}
    knot = obj(**{"x-y": maybe, "rope": ref("Rope")})
    files = models(reading({"Knot": knot, "Rope": obj(end=maybe)})).files
    check(files, tmp_path)
    assert "end: NotRequired[Knot | None]" in files["models.py"]


def test_a_schema_that_cannot_be_written_is_any(monkeypatch: pytest.MonkeyPatch) -> None:
    original = models_run._source

    def failing(document: str) -> tuple[str, dict[str, dict[str, str]]]:
        if '"bad"' in document:
            raise RecursionError("too deep")
        return original(document)

    monkeypatch.setattr(models_run, "_source", failing)
    diagnostics = Diagnostics()
    document = reading(
        {
            f"S{n}": obj(**({"bad": {"type": "boolean"}} if n == 5 else {"good": TEXT}))
            for n in range(9)
        }
    )
    made = models(document, diagnostics=diagnostics)
    space = load(made.files["models.py"])
    assert space["S5"] is Any
    assert not made.keys  # told again the next time
    assert get_type_hints(space["S4"]) == {"good": str}
    (item,) = diagnostics.warnings
    assert item.code == "model-not-written"
    assert "S5" in item.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: NotRequired[str]", "a: NotRequired[__import__('os').name]"),
        ("a: NotRequired[str]", "b: NotRequired[str]"),
        ("a: NotRequired[str]", "a: NotRequired[str] = 3"),
        ("a: NotRequired[str]", "a: NotRequired[str]\n    print(1)"),
        ("class S(TypedDict)", "class S(TypedDict, metaclass=type(print(1)))"),
        ("class S(TypedDict)", "@print\nclass S(TypedDict)"),
        ("class S(TypedDict)", "class T(TypedDict)"),
        ("class S(TypedDict):", "class S(:"),
        ("    a: NotRequired[str]\n", "    pass\n"),
        ("a: NotRequired[str]", "a: NotRequired[exit]"),
        ("'b c': NotRequired", "'d': NotRequired"),
        ("'b c': NotRequired", "print(1): NotRequired"),
        ("Literal[1, 2]", "Literal[1, 2.5]"),
        ("Literal[1, 2]", "Literal[1, print(2)]"),
    ],
)
def test_source_that_is_not_what_was_asked_for_is_not_taken(
    before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = models_run._source

    def changed(document: str) -> tuple[str, dict[str, dict[str, str]]]:
        text, fields = original(document)
        assert before in text
        return text.replace(before, after), fields

    monkeypatch.setattr(models_run, "_source", changed)
    part = {"enum": [1, 2]} if "Literal" in before else TEXT
    schema = obj(**{"b c" if "b c" in before else "a": part})
    text = models(reading({"S": schema})).files["models.py"]
    assert "S: TypeAlias = Any" in text


def test_nothing_outside_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "object", "properties": {"stolen": {}}}')
    schemas: dict[str, Schema] = {
        "A": obj(a={"$ref": secret.as_uri()}, b={"$ref": "secret.json"}, c={"$ref": "http://x/y"}),
        "B": {"$ref": str(secret)},
        "C": {**obj(a=TEXT), "$id": secret.as_uri(), "$schema": "http://x/y", "$anchor": "x"},
    }
    monkeypatch.chdir(tmp_path)
    text = source(**schemas)
    assert "stolen" not in text
    assert get_type_hints(load(text)["A"]) == {"a": Any, "b": Any, "c": Any}


def test_annotations_name_what_they_need() -> None:
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


def test_a_schema_that_was_not_seen_before_is_annotated_without_a_class() -> None:
    types = models(
        api(tool("add", result=ref("Pet")), schemas={"Pet": obj(a=TEXT), "Dog": obj(a=TEXT)})
    )
    assert types.annotate(obj(a=TEXT), "else", "where").text == "dict[str, Any]"
    assert types.annotate({"items": ref("Dog")}, "else", "where").text == "list[dict[str, Any]]"
    assert types.annotate({"items": ref("Pet")}, "else", "where").text == "list[Pet]"


def test_an_argument_that_is_called_result_is_not_the_result() -> None:
    argument, result = obj(a=TEXT), obj(b=TEXT)
    types = models(api(tool("add", {"result": argument}, result=result)))
    one, two = types.annotate(argument, "add", "result"), types.annotate(result, "add", "result")
    assert one.text != two.text
    assert {one.text, two.text} <= set(load(types.files["models.py"]))


def test_the_same_document_gives_the_same_bytes() -> None:
    """Also in a process in which the order of a set is another one."""
    script = "from test_models import *; print(dict(models(reading(many(40))).files))"
    root = Path(__file__).parent
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(root.parent)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{dict(models(reading(many(40))).files)}\n"


@pytest.mark.parametrize("link", ["ref", "array", "object"])
def test_a_long_chain_takes_linear_time(link: str) -> None:
    schemas: dict[str, Schema] = {"S1000": obj(end=TEXT)}
    for n in range(1000):
        following = ref(f"S{n + 1}")
        schemas[f"S{n}"] = {
            "ref": following,
            "array": {"items": following},
            "object": obj(next=following),
        }[link]
    start = time.process_time()
    assert models(api(tool("get", result=ref("S0")), schemas=schemas)).files
    assert time.process_time() - start < 20
