"""How models are made: in several modules and processes, from whatever the library writes."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ForwardRef, get_type_hints

import pytest
from api_building import api, reading, ref, tool
from many_schemas import many, models_of_many
from model_writing import TEXT, check, load, models, obj, source
from steps import steps
from tables import table

from mcpgen.api import Schema
from mcpgen.diagnostics import Diagnostics
from mcpgen.models import Worker
from mcpgen.models import codegen as models_run


def test_a_large_api_is_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("mcpgen.models.modules.FOLDER_SIZE", 26)
    assert set(models(reading(many(26))).files) == {"models.py"}
    document = reading(many(27))
    files = models(document).files
    assert set(files) == {"models/__init__.py", *(f"models/{chr(97 + n)}.py" for n in range(26))}
    files = {
        **files,
        "use.py": "from models import A0, B1\n\nx: A0 = {'a': {'x-y': None}}\nprint(x, B1)\n",
    }
    check(files, tmp_path)


def test_the_library_is_asked_once_for_types_that_differ_in_names(monkeypatch):
    """Each schema that it is given takes it a while, and most differ in names alone."""
    given: list[Any] = []
    write = models_run._source
    monkeypatch.setattr(models_run, "_source", lambda s: given.append(s) or write(s))
    to = models_run.REF
    pets = {"type": "array", "items": {"$ref": f"{to}Pet"}}
    towns = {"type": "array", "items": {"$ref": f"{to}Town"}}
    either = {"anyOf": [{"$ref": f"{to}Town"}, pets, {"$ref": f"{to}Pet"}]}
    fields = {"pets": pets, "town": {"$ref": f"{to}Town"}, "towns": towns, "either": either}
    owner = {"type": "object", "properties": fields}
    done, failed = models_run.run({"Owner": owner, "Pet": {}, "Town": {"$ref": f"{to}Place0"}})
    assert [{*schemas} for schemas in given] == [{"Place0", "Place1", "Types"}]
    assert len(given[0]["Types"]["properties"]) == 4  # a list, a name, a union, anything
    assert {key: each.text for key, each in done[0].fields.items()} == {
        "pets": "NotRequired[list[Pet]]",
        "town": "NotRequired[Town]",
        "towns": "NotRequired[list[Town]]",
        "either": "NotRequired[Town | list[Pet] | Pet]",
    }
    assert done[0].fields["either"].uses == {"Pet", "Town"}
    assert done[2].alias is not None
    assert done[2].alias.text == "Place0"
    assert failed == {}


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="types are written in the same process")
def test_a_worker_writes_what_this_process_writes(monkeypatch):
    monkeypatch.setattr("mcpgen.models.modules.FOLDER_SIZE", 50)
    document = reading(many(78))
    alone = dict(models(document).files)
    write, here = models_run.run, os.getpid()
    monkeypatch.setattr(models_run, "run", lambda s: write(s) if os.getpid() != here else None)
    assert dict(models(document, worker=Worker()).files) == alone


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="types are written in the same process")
def test_a_dead_worker_is_replaced(monkeypatch):
    document = reading(many(60))
    write, here = models_run.run, os.getpid()
    monkeypatch.setattr(
        models_run, "run", lambda s: write(s) if os.getpid() == here else os._exit(1)
    )
    space = load(models(document, worker=Worker()).files["models.py"])
    assert {"A0", "B1", "H59"} <= set(space)


def test_types_are_what_the_generator_writes_when_it_is_asked_for_whole_classes(monkeypatch):
    """It is asked for each different type once; classes are put together of these."""
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
    schemas: dict[str, Any] = {}
    write = models_run.run
    monkeypatch.setattr(models_run, "run", lambda asked: schemas.update(asked) or write(asked))
    ours = load(models(reading(documents)).files["models.py"])
    numbered = {name: _with_numbers(schema) for name, schema in schemas.items()}
    whole = load(models_run._source(numbered))
    assert len(schemas) == 80
    for name, schema in schemas.items():
        if "properties" not in schema:
            assert repr(whole[name]) == repr(ours[name])
            continue
        theirs = {key: _plain(hint) for key, hint in whole[name].__annotations__.items()}
        assert [*theirs.values()] == [_plain(hint) for hint in ours[name].__annotations__.values()]


def _with_numbers(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose properties have numbers in place of names."""
    if "properties" not in schema:
        return {"anyOf": [schema]} if schema.get("type") == "array" else schema
    numbers = {name: f"f{index}" for index, name in enumerate(schema["properties"])}
    properties = {numbers[name]: part for name, part in schema["properties"].items()}
    required = [numbers[name] for name in schema.get("required", ())]
    return {"type": "object", "properties": properties, "required": required}


def _plain(hint: Any) -> str:
    """An annotation as text without the quotes of names, which begin with a capital here."""
    text = hint.__forward_arg__ if isinstance(hint, ForwardRef) else repr(hint)
    text = re.sub(r"typing\.|loaded_models\.|ForwardRef\(('\w+')\)|<class '(\w+)'>", r"\1\2", text)
    return ast.unparse(ast.parse(re.sub(r"'([A-Z]\w*)'", r"\1", text)))


def test_a_schema_that_cannot_be_written_is_any(monkeypatch):
    original = models_run._source

    def failing(schemas: Mapping[str, Any]) -> str:
        if "boolean" in str(schemas):
            raise RecursionError("too deep")
        return original(schemas)

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


@table(
    "before, after",
    ("f0: str", "f0: __import__('os').name"),
    ("f0: str", "f1: str"),
    ("f0: str", "f0: str\n    f1: str"),
    ("f0: str", "f0: str = 3"),
    ("f0: str", "f0: str\n    print(1)"),
    ("f0: str", "f0: exit"),
    ("    f0: str\n", "    pass\n"),
    ("class Types(TypedDict)", "class Types(TypedDict, metaclass=type(print(1)))"),
    ("class Types(TypedDict)", "@print\nclass Types(TypedDict)"),
    ("class Types(TypedDict)", "class T(TypedDict)"),
    ("class Types(TypedDict):", "class Types(:"),
    ("Literal[1, 2]", "Literal[1, 2.5]"),
    ("Literal[1, 2]", "Literal[1, print(2)]"),
)
def test_source_that_is_not_what_was_asked_for_is_not_taken(before, after, monkeypatch):
    original = models_run._source

    def changed(schemas: Mapping[str, Any]) -> str:
        text = original(schemas)
        assert before in text
        return text.replace(before, after)

    monkeypatch.setattr(models_run, "_source", changed)
    part = {"enum": [1, 2]} if "Literal" in before else TEXT
    text = models(reading({"S": obj(a=part)})).files["models.py"]
    assert "S: TypeAlias = Any" in text


def test_nothing_outside_is_read(monkeypatch, tmp_path):
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


def test_the_same_document_gives_the_same_bytes():
    """Also in a process in which the order of a set is another one."""
    script = "import many_schemas; print(many_schemas.models_of_many(40))"
    here = Path(__file__).parent
    paths = os.pathsep.join(map(str, (here.parents[1], here.parent)))
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": paths}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=here, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{models_of_many(40)}\n"


def chain(link: str, length: int) -> Mapping[str, str]:
    """The files of types that lead from one to the next."""
    schemas: dict[str, Schema] = {f"S{length}": obj(end=TEXT)}
    for n in range(length):
        following = ref(f"S{n + 1}")
        forms = {"ref": following, "array": {"items": following}, "object": obj(next=following)}
        schemas[f"S{n}"] = forms[link]
    return models(api(tool("get", result=ref("S0")), schemas=schemas)).files


@pytest.mark.parametrize("link", ["ref", "array", "object"])
def test_a_long_chain_takes_linear_work(link):
    assert chain(link, 1000)
    assert steps(lambda: chain(link, 200)) < 2.5 * steps(lambda: chain(link, 100))
