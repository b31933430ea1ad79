"""What the operator hid stays hidden on each surface, also for the tools of a further source."""

import json

import pytest

from .servers import packaged, read

DOCUMENT = read("withheld")
JSON = DOCUMENT["paths"]["/json"]
TEXT, OPEN = {"type": "string"}, {"type": "object", "additionalProperties": True}


def listing(**schemas):
    """The paths of an operation that has parameters in its query."""
    parameters = [{"name": n, "in": "query", "schema": schema} for n, schema in schemas.items()]
    operation = {"operationId": "list", "parameters": parameters}
    return {"/list": {"get": {**operation, "responses": JSON["post"]["responses"]}}}


SETTINGS = """
[tools."*".arguments]
tenant.value = "acme"
[tools.list.arguments]
is_admin.hidden = true
"""
PATHS = {**listing(is_admin=TEXT, filter=OPEN), "/json": JSON}
FRAME = {"server": {"name": "frame", "baseUrl": "https://a.example"}, "tools": []}


@pytest.mark.parametrize("surface", ["tools", "search"])
def test_php_reads_no_other_spelling_as_a_hidden_name(surface, upstream, tmp_path):
    behind = {**DOCUMENT, "info": {"title": "B", "version": "1"}, "security": [], "paths": PATHS}
    (tmp_path / "behind.json").write_text(json.dumps(behind), "utf-8")
    settings = f'{SETTINGS}[[with]]\nsource = "{tmp_path}/behind.json"\nname = "behind"\n'
    server = packaged(FRAME, tmp_path, upstream, "--surface", surface, settings=settings)
    for tool, arguments in (
        ("list", {"filter": {"is.admin": "1"}}),
        ("list", {"filter": {"a\0": "1"}}),
        ("json", {"title": "x", " tenant": "rival"}),
        ("json", {"title": "x", "tenant\n": "rival"}),
    ):
        if surface == "search":
            arguments = {"name": tool, "arguments": arguments}
            tool = "call_read_tool" if tool == "list" else "call_write_tool"
        call = server.call(tool, arguments, surface=surface)
        assert "cannot be given" in call.refused or "control character" in call.refused
        assert not upstream.seen


def test_no_parent_takes_the_place_of_a_hidden_member(upstream, tmp_path):
    """qs, which Express has, reads `opt[x]=1&opt=admin` as an object with `admin`."""
    paths = listing(**{"opt[admin]": TEXT, "sort": TEXT, "filter": OPEN})
    behind = {**DOCUMENT, "security": [], "paths": paths}
    settings = '[tools.list.arguments]\n"opt[admin]".hidden = true\n'
    server = packaged(behind, tmp_path, upstream, settings=settings)
    for member in ("opt", "[opt]", "opt[]", "opt[admin]", "[sort]"):
        call = server.call("list", {"filter": {"opt[x]": "1", member: "admin"}})
        assert f"filter.{member}" in call.refused
        assert not upstream.seen
    sent = server.call("list", {"filter": {"opt[x]": "1", "sort[x]": "2"}}).request
    assert sent.target == "/list?opt%5Bx%5D=1&sort%5Bx%5D=2"
