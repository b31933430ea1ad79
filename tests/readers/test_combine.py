"""Combining sources: names that two of them share are told apart, and stay so."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from openapi_reading import read_document
from tables import table
from tool_file_reading import described, read

from mcpgen.api import Api
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics
from mcpgen.hashes import with_hash
from mcpgen.lock import NOTHING
from mcpgen.readers.combine import Part, combine, lasting_keys

LONG = "a" * 60


def hand_written(folder: Path, *names: str, **more: Any) -> Api:
    tools = [described({"name": name, "description": name}) for name in names]
    return read(folder, {"tools": tools, **more})


def document(folder: Path, *names: str, **schemas: Any) -> Api:
    content = {key: {"$ref": f"#/components/schemas/{key}"} for key in schemas}
    body = {"schema": {"type": "object", "properties": content}} if schemas else {}
    answer = {"200": {"description": "d", "content": {"application/json": body}}}
    paths = {f"/{n}": {"get": {"operationId": n, "responses": answer}} for n in names}
    return read_document({"paths": paths, "components": {"schemas": schemas}}, folder).api


def combined(first: Api, further: Api, known: Mapping[str, str] | None = None) -> tuple[Api, str]:
    """The combined API, and what was noted."""
    found = Diagnostics()
    parts = [Part("first", first, is_first=True), Part("shop", further)]
    return combine(parts, known or {}, found), " ".join(note.message for note in found.notes)


@table(
    "first, further, names",
    (["x"], ["y", "x"], ["x", "y", "shop_x"]),
    (["x", "shop_x"], ["y", "x"], ["x", "shop_x", "y", with_hash("shop_x", "x")]),
    ([LONG], [LONG], [LONG, with_hash(f"shop_{LONG}", LONG)]),
)
def test_a_hand_written_tool_is_told_apart_wherever_it_stands(tmp_path, first, further, names):
    api, told = combined(hand_written(tmp_path, *first), hand_written(tmp_path, *further))
    assert [wire_tool(tool)["name"] for tool in api.tools] == names
    assert names[-1] in told
    again, _ = combined(hand_written(tmp_path, *first), hand_written(tmp_path, *further[::-1]))
    assert sorted(tool.name for tool in again.tools) == sorted(names)


def test_tools_that_clients_merge_are_told_apart_over_sources(tmp_path):
    first, further = document(tmp_path, "getX", "y"), document(tmp_path, "get-x", "getx", "Z")
    names = ["getX", "y", "get-x", "shop_getx", "Z"]
    api, told = combined(first, further)
    assert [tool.name for tool in api.tools] == names
    twins = "tools that clients may take for one, `getX` and `getx`"
    assert told == f"two sources have {twins}; that of `shop` is now `shop_getx`"
    api, told = combined(first, further, {"GET /getX": "getX", "shop GET /getx": "getx"})
    assert ([tool.name for tool in api.tools][3], told) == ("getx", "")
    written = hand_written(tmp_path, "s", "S")
    api, told = combined(document(tmp_path, "a"), written)
    assert ([tool.name for tool in api.tools], told) == (["a", "s", "S"], "")


def test_sources_of_the_same_paths_keep_a_key_each_whatever_their_titles():
    known = replace(NOTHING, tools={"a GET /x": "x", "b GET /x": "b_x"})
    found = lasting_keys(["first", "c", "d"], {1: {"/x"}, 2: {"/x"}}, {"first"}, known)
    assert found == {1: "a", 2: "b"}


def test_a_name_with_a_hash_stays_when_the_name_without_one_is_free_again(tmp_path):
    further = document(tmp_path, "x")
    api, _ = combined(document(tmp_path, "x", "shop_x"), further)
    name = api.tools[-1].name
    assert name == with_hash("shop_x", "/paths/~1x/get")
    api, _ = combined(document(tmp_path, "x"), further, {"GET /x": "x", "shop GET /x": name})
    assert [tool.name for tool in api.tools] == ["x", name]


def test_the_note_of_a_prompt_says_what_it_is_called_now(tmp_path):
    first, further = (
        hand_written(tmp_path, tool, prompts=[{"name": name, "text": "t"} for name in names])
        for tool, names in (("a", ["p", "shop_p"]), ("b", ["p"]))
    )
    api, told = combined(first, further)
    assert [prompt.name for prompt in api.prompts] == ["p", "shop_p", "shop_p_"]
    assert told.endswith("that of `shop` is now `shop_p_`")


def test_schemas_of_one_name_are_two(tmp_path):
    first = document(tmp_path, "a", **{"Item": {"type": "string"}, "shop.Item": {"type": "null"}})
    further = document(tmp_path, "b", Item={"type": "integer"})
    api, _ = combined(first, further)
    assert api.schemas["shop.Item_"] == {"type": "integer"}
    assert "#/$defs/shop.Item_" in str(api.tools[1].result)
    assert "shop.Item_" not in str(api.tools[0].result)
