"""Decisions of the plan that are not seen in one server alone."""

import subprocess

import pytest
from api_building import api, decide, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from openapi_reading import OK, read_document
from ruff import find_ruff_bin
from tables import table
from tool_file_reading import described, read

from mcpgen import models
from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostics
from mcpgen.package import Package
from mcpgen.plan.planning import plan
from mcpgen.readers.combine import Part, combine
from mcpgen.render.files import render
from mcpgen.settings import Settings
from mcpgen.text.import_order import import_order

WORDS = ["Io", "K8S", "Api", "V1", "V2", "P4E5A10", "P479FD4", "URL", "9", "10", "02", "_", "X"]
FIRST = [word for word in WORDS if word.isidentifier()]
NO_TAG = "Tools without a tag."
NAMES = st.builds(
    lambda first, rest: first + "".join(rest),
    st.sampled_from(FIRST),
    st.lists(st.sampled_from(WORDS), max_size=4),
)


def planned(document: Api) -> Package:
    """The plan of a server without settings."""
    names = decide(document)
    return plan(document, names, models.generate(document, names), Settings())


@settings(max_examples=15, deadline=None)
@given(st.sets(NAMES, min_size=2, max_size=40))
def test_imports_are_in_ruffs_order(names):
    ordered = sorted(names, key=import_order)
    text = "from x import (\n" + "".join(f"    {name},\n" for name in ordered) + ")\n\nx()\n"
    command = [find_ruff_bin(), "check", "--isolated", "--no-cache", "--select", "I", "-"]
    done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    assert done.returncode == 0, (ordered, done.stdout)


@table(
    "media_type, returns",
    (None, "Any"),
    ("text/csv", "str"),
    ("application/problem+xml; charset=utf-8", "str"),
    ("application/yaml", "str"),
    ("image/svg+xml", "str"),
    ("application/x-ndjson", "str"),
    ("application/json-seq", "str"),
    ("image/png", "bytes"),
    ("*/*", "Any"),
    ("application/json", "Any"),
    ("application/vnd.api+json; charset=utf-8", "Any"),
)
def test_an_answer_without_a_schema_is_what_its_media_type_says(media_type, returns):
    package = planned(api(replace(tool("a"), result_media_type=media_type)))
    assert package.modules[0].handlers[0].returns == f"Response[{returns}]"


@pytest.mark.parametrize("words", range(1, 25))
@pytest.mark.parametrize("path", ["/a", f"/{'a' * 50}", f"/{'a' * 120}"])
def test_a_docstring_has_a_line_for_the_operation_where_both_are_too_long(path, words):
    short = tool("a")
    package = planned(
        api(replace(short, summary="Say " * words, http=replace(short.call, path=path)))
    )
    first, *rest = package.modules[0].handlers[0].docstring[3:-3].split("\n")
    operation = f"{short.call.method} {path}"
    assert len(first) <= 100 - len('    """"""')
    assert rest in ([], ["", operation, ""])
    assert bool(rest) != first.endswith(f": {operation}.")


@table(
    "paths, about",
    ({"/v1/birds": ["aviary"]}, ["Tools tagged `aviary`."]),
    ({"/v1/birds": [], "/v1/nests/{id}": []}, ["Tools for `birds`.", "Tools for `nests`."]),
    ({"/v1/birds": ["aviary"], "/v1/nests": []}, ["Tools tagged `aviary`.", "Tools for `nests`."]),
    ({"/{bird}": []}, [NO_TAG]),
    ({"/birds": ["default"], "/{nest}": []}, ["Tools tagged `default`."]),
)
def test_a_module_says_no_tag_that_the_document_does_not(paths, about, tmp_path):
    document = {
        "paths": {path: {"get": {"responses": OK, "tags": tags}} for path, tags in paths.items()}
    }
    found = read_document(document, tmp_path).api
    package = planned(found)
    assert [module.docstring for module in package.modules] == [f'"""{text}"""' for text in about]


@table(
    "hints, deprecated, words",
    ({}, False, "reads"),
    ({"destructive": True}, False, "reads"),
    ({"read_only": False}, True, "writes, deprecated"),
    ({"read_only": False, "destructive": True}, False, "writes, destructive"),
)
def test_the_table_of_tools_says_what_a_call_does(hints, *, deprecated, words):
    one = tool("a")
    found = replace(one, annotations=replace(one.annotations, **hints), deprecated=deprecated)
    package = planned(api(found))
    assert [row.hints for row in package.tools] == [words]


@table(
    "description, said",
    ("Harbour API.\n\nAll paths are stable.", ""),
    ("harbour api", ""),
    ("Harbour API of the town. All paths are stable.", "Harbour API of the town."),
)
def test_a_description_that_is_the_title_again_is_not_shown(description, said):
    package = planned(api(tool("a"), title="Harbour API", description=description))
    assert package.literals["md_about"] == said
    assert [part for part in package.info if part.startswith("description=")] == (
        [f"description={said!r}"] if said else []
    )


@table(
    "version, of_package",
    (" v1.2\n", "1.2"),
    ("2.0rc1", "2.0rc1"),
    ("2024-01-01", "0.1.0"),
    ("1.0-beta", "0.1.0"),
    ("", "0.1.0"),
)
def test_a_version_that_no_package_may_have_is_left_out(version, of_package):
    package = planned(api(tool("a"), version=version))
    assert package.version == of_package
    assert f"version={version!r}" in package.info


@table(
    "schema, written",
    ({"type": "integer", "default": 5}, "int = 5"),
    ({"type": "integer", "default": 5.0}, "int | Unset = UNSET"),
    ({"type": "number", "default": 1}, "float = 1"),
    ({"type": "boolean", "default": False}, "bool = False"),
    ({"enum": ["up", "down"], "default": "up"}, 'Literal["up", "down"] = \'up\''),
    ({"type": ["string", "null"], "default": None}, "str | None = None"),
    ({"type": "array", "default": []}, "list[Any] | Unset = UNSET"),
    ({"type": "string"}, "str | Unset = UNSET"),
)
def test_a_handler_by_hand_has_the_default_of_the_schema(schema, written, tmp_path):
    arguments = {"inputSchema": {"type": "object", "properties": {"a": schema}}}
    found = read(tmp_path, {"tools": [{"name": "dig", "description": "Digs.", **arguments}]})
    (module,) = planned(found).modules
    (keyword,) = module.handlers[0].keywords
    assert f"{keyword.annotation} = {keyword.default}" == written
    assert ("UNSET" in module.runtime) == ("Unset" in written)


def test_imports_have_one_order():
    arguments = {"a": {"enum": ["x"]}, "b": {"properties": {"c": True}}, "d": True}
    (module,) = planned(api(tool("a", arguments))).modules
    assert module.typing == ("TYPE_CHECKING", "Any", "Literal")
    assert module.runtime == ("UNSET", "Context", "Response", "Unset", "tool")


@pytest.mark.parametrize("path", ["/getVariable()", "/from_env()", "/style.css", "/ServerUrl()"])
def test_what_a_path_says_is_not_imported(path, tmp_path):
    server = {"name": "till", "baseUrl": "https://till.example"}
    sale = {"uri": "till://sale", "name": "sale", "http": f"GET {path}"}
    sell = described({"name": "sell", "http": f"GET {path}"})
    found = read(tmp_path, {"server": server, "tools": [sell], "resources": [sale]})
    package = planned(found)
    assert package.modules[0].runtime == ("Context", "Response", "tool")
    assert "from ._runtime import Context, Response, resource" in package.functions[0].imports


def test_what_makes_a_prompt_and_what_completes_another_are_two(tmp_path):
    beds = {"name": "plan", "arguments": [{"name": "bed"}], "complete": {"bed": "python"}}
    tools = [described({"name": "dig"})]
    found = read(tmp_path, {"tools": tools, "prompts": [beds, {"name": "plan bed"}]})
    (module,) = planned(found).functions
    called = [function.name for function in module.functions]
    assert called == ["plan", "complete_plan_bed", "plan_bed"]


def test_modules_of_several_sources_say_whose_tools_they_have(tmp_path):
    """Arguments that no property declares go to the handler together, under the name `*`."""
    body = {"http": "POST /sales", "inputSchema": {"type": "object", "additionalProperties": True}}
    tools = [described({"name": "sell", **body}), described({"name": "count", "http": "GET /sum"})]
    till = {"name": "till", "baseUrl": "https://till.example"}
    parts = [
        Part("first", read(tmp_path, {"tools": [described({"name": "own"})]}), is_first=True),
        Part("till", read(tmp_path, {"server": till, "tools": tools})),
    ]
    found = combine(parts, {}, Diagnostics())
    package = planned(found)
    assert [module.docstring[3:-3] for module in package.modules] == [
        "Tools that you write in Python. Updates keep your code.",
        "Tools that call the API of till.",
    ]
    handlers = package.modules[1].handlers
    assert [handler.renames for handler in handlers] == [('extra="*"',), ()]


def test_a_docstring_has_one_full_stop():
    package = planned(api(replace(tool("a"), summary="查询用户。分页返回。")))
    assert package.modules[0].handlers[0].docstring == '"""查询用户: GET /a."""'


@table(
    "summary, text",
    ("What time is it?", "What time is it?"),
    ("Stop!", "Stop!"),
    ("The time. Of day.", "The time."),
)
def test_a_docstring_of_a_tool_by_hand_ends_once(summary, text):
    package = planned(api(replace(tool("a"), summary=summary, http=None)))
    assert package.modules[0].handlers[0].docstring == f'"""{text}"""'


def test_a_docstring_does_not_spell_out_the_operation_twice():
    made = replace(tool("a"), summary="Get v2 pets pet id")
    package = planned(api(replace(made, http=replace(made.call, path="/v2/pets/{pet_id}"))))
    assert package.modules[0].handlers[0].docstring == '"""GET /v2/pets/{pet_id}."""'


def test_only_the_modules_of_handlers_are_rendered_from_handlers():
    package = planned(api(tool("a", tag="One"), tool("b", tag="Two")))
    others = tuple(replace(module, handlers=(), docstring="") for module in package.modules)
    files = render(package)
    changed = {
        path
        for path, text in render(replace(package, modules=others)).items()
        if text != files[path]
    }
    assert changed == {f"{package.name}/handlers/{each.name}.py" for each in package.modules}
