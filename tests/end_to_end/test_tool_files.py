"""Servers from tool files: requests as the file says, and lists that are tool files again."""

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import runtime_package
import yaml
from command_line import run
from prepared import python

from .servers import PACKAGE, SPECS, generate
from .upstream import Answer


@pytest.fixture(scope="module")
def harbour(upstream, tmp_path_factory):
    """The server of the tool file whose tools are requests."""
    folder = tmp_path_factory.mktemp("tools") / "http"
    options = ("--package", "moorings_mcp", *PACKAGE)
    return generate(SPECS / "tools-http.yaml", folder, upstream, *options, command="from-schema")


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("MOORINGS_KEY", "k-1")
    monkeypatch.setenv("MOORINGS_MASTER_TOKEN", "m-1")


def test_what_the_file_says_is_what_is_listed(harbour, chandler):
    """Nothing is wrapped or rewritten; shared definitions and a method's hints come along."""
    for server, name in ((harbour, "tools-http.yaml"), (chandler, "tools-python.yaml")):
        file = yaml.safe_load((SPECS / name).read_text(encoding="utf-8"))
        for tool in file["tools"]:
            text = (server.folder / server.package / "tools.json").read_text(encoding="utf-8")
            (listed,) = [t for t in json.loads(text)["tools"] if t["name"] == tool["name"]]
            if tool.pop("http", None):
                hints = listed["annotations"]
                tool["annotations"] = hints | tool.get("annotations", {})
                assert {"readOnlyHint", "destructiveHint", "idempotentHint"} <= set(hints)
            assert set(listed) == set(tool)
            for member, value in tool.items():
                found = listed[member]
                if member.endswith("Schema"):
                    shared = found.pop("$defs", {})
                    assert all(file["$defs"][key] == schema for key, schema in shared.items())
                assert found == value


def test_requests_are_as_the_file_says(harbour):
    call = harbour.call("get_berth", {"number": 7}, Answer.of({"number": 7}))
    assert (call.request.method, call.request.target) == ("GET", "/berths/7")
    assert call.request.header("x-harbour-key") == "k-1"
    assert call.data == {"number": 7}
    request = harbour.call("cancel_booking", {"id": "a/b", "reason": "storm & rain"}).request
    assert request.method == "DELETE"
    assert request.target == "/bookings/a%2Fb?reason=storm%20%26%20rain"
    given = {"length": 8.5, "facilities": ["water", "power"], "region": "n", "trace": "t-9"}
    call = harbour.call("list_berths", given, Answer.of([{"number": 1}]))
    assert call.request.path == "/berths"
    query = [("sort", "length"), ("length", "8.5"), ("with", "water|power"), ("region", "n")]
    assert call.request.query == query
    assert call.request.header("x-trace") == "t-9"
    assert call.result.structured_content == [{"number": 1}]
    given = {"number": 3, "ship": {"name": "Ærø", "length": 9, "flag": None}, "note": None}
    request = harbour.call("book_berth", given, Answer.of({"id": 1}, 201)).request
    assert request.target == "/berths/3/bookings"
    assert request.json == {"ship": given["ship"], "nights": 1, "remark": None}
    given = {"id": "x", "papers": {"name": "Ilse", "length": 4}, "ifMatch": '"v1"'}
    request = harbour.call("replace_ship", given).request
    assert request.header("content-type") == "application/merge-patch+json"
    assert request.header("if-match") == '"v1"'
    assert request.header("authorization") == "Bearer m-1"
    assert request.json == given["papers"]
    radio = harbour.call("radio", {"message": "mayday ø", "channel": 16}).request
    assert (radio.target, radio.body) == ("/radio?channel=16", "mayday ø".encode())
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    given = {"title": "North", "chart": png, "tags": ["a", "b"]}
    parts = {part.name: part for part in harbour.call("upload_chart", given).request.parts}
    assert parts["chart"].content == b"\x89PNG\r\n\x1a\n"
    assert parts["chart"].content_type == "image/png"
    assert parts["tags"].content == b"a,b"
    form = harbour.call("log_entry", {"who": "m", "text": "a b", "wind": "SW"}).request.form
    assert form == [("wind", "SW"), ("who", "m"), ("text", "a b")]
    # draft-07 says that `items` may be an array: it is validated so.
    good = {"query": {"name": "I", "tons": [1, 2]}}
    request = harbour.call("search_ships", good).request
    assert json.loads(request.query[0][1]) == good["query"]
    refused = harbour.call("search_ships", {"query": {"tons": [1, "two"]}}).refused
    assert "query" in refused


EXAMPLES = Path(__file__).parents[2] / "generated_examples"
_LIST = """
import importlib, json, sys
from pathlib import Path
import anyio
from mcp import Client

async def listed(package):
    tools, cursor = [], None
    async with Client(importlib.import_module(f"{package}.server").create_server()) as client:
        while True:
            page = await client.list_tools(cursor=cursor)
            as_sent = {"mode": "json", "by_alias": True, "exclude_unset": True}
            tools += [tool.model_dump(**as_sent) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return {"tools": tools}

found = {}
for folder in map(Path, sys.argv[1:]):
    sys.path.insert(0, str(folder))
    (package,) = [path.parent.name for path in folder.glob("*/server.py")]
    found[folder.name] = anyio.run(listed, package)
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
print(json.dumps(found))
"""


def test_the_lists_of_all_examples_are_tool_files(tmp_path):
    """What servers answer to `tools/list` gives a server that answers the same."""
    examples = sorted(path for path in EXAMPLES.iterdir() if path.is_dir())
    lists = _lists(examples)
    assert len(lists) == len(examples)
    tools = [
        {**tool, "name": f"{example}.{tool['name']}"}
        for example, found in lists.items()
        for tool in found["tools"]
    ]
    file = tmp_path / "all.json"
    file.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    options = ("--surface", "tools", *PACKAGE)
    done = run("from-schema", str(file), "-o", str(tmp_path / "all"), *options)
    assert done.exit_code == 0, done.output
    again = _lists([tmp_path / "all"])["all"]["tools"]
    assert len(again) == len(tools)
    for one, other in zip(tools, again, strict=True):
        assert json.dumps(other) == json.dumps(one)


def _lists(folders: list[Path]) -> dict[str, Any]:
    command = python("-c", _LIST, *map(str, folders))
    env = {**os.environ, "PYTHONPATH": runtime_package.folder()}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
