"""What a second request of an edited handler holds: checked against the document like the first."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from tables import table
from typed import assert_typed

from .garden import edit, operation

BODY = {"type": "object", "required": ["name"], "properties": {"name": {}, "size": {}}}


def paths(**changed: Any) -> dict[str, Any]:
    """Beds, and rows whose operations a test changes."""
    body = {"required": True, "content": {"application/json": {"schema": BODY}}}
    add = {"operationId": "addRow", "requestBody": body, "responses": {"201": {"description": ""}}}
    rows = {**operation("listRows", "rows", "size", "since"), "post": {**add, "tags": ["rows"]}}
    start = {"/beds": operation("listBeds", "beds", "size"), "/rows/{row}": rows}
    return {path: each for path, each in {**start, **changed}.items() if each}


FIELDS = {"id": {"type": "integer"}, "soil": {"type": "string"}}


def write(name: str, paths: dict[str, Any], *fields: str) -> None:
    info = {"title": name.title(), "version": "1"}
    properties = {each: FIELDS[each] for each in fields or FIELDS}
    schemas = {"schemas": {"Bed": {"type": "object", "properties": properties}}}
    whole = {"openapi": "3.1.0", "info": info, "paths": paths, "components": schemas}
    Path(f"{name}.json").write_text(json.dumps(whole))


CLIENTS = ["ctx.api", 'ctx.apis["rows"]']


def make(client: str) -> str:
    """Generate the server whose handlers send to the API of rows by this client."""
    is_first = client == "ctx.api"
    if not is_first:
        write("beds", {"/beds": paths()["/beds"]})
        Path("server").mkdir()
        Path("server/mcpgen.toml").write_text('[[with]]\nsource = "../rows.json"\nname = "rows"\n')
    change(client)
    options = ("--name", "garden", "--runtime", "package", "-o", "server")
    source = "rows.json" if is_first else "beds.json"
    assert run("from-openapi", source, *options).exit_code == 0
    return client


@pytest.fixture(params=CLIENTS)
def client(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None
) -> str:
    """What sends to the API of rows: that of the first source, or of the second."""
    monkeypatch.chdir(tmp_path)
    return make(request.param)


def change(client: str, *fields: str, **changed: Any) -> None:
    """Write the document of rows, beside beds where it is the only one."""
    whole = paths(**changed)
    rows = whole if client == "ctx.api" else {k: v for k, v in whole.items() if "row" in k}
    write("rows", rows, *fields)


def checks() -> Iterator[tuple[int, str]]:
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        yield done.exit_code, done.stdout


def handler() -> Path:
    (path,) = (p for p in Path("server").glob("*/handlers/*.py") if '"/beds"' in p.read_text())
    return path


@table(
    "call, said",
    ('"GET", "/rows/{row}", path={"row": 1}, query={"size": 1}', ""),
    ('"GET", "/rows/{row}", path={"row": 1}, query={"sise": 1}', "query `sise`, which is unkn"),
    ('"GET", "/rows/{row}", path={"row": 1}, query=dict(sise=1)', ""),
    ('"POST", "/rows/{row}", path={"row": 1}, json={"name": 1, "colour": 2}', "json `colour`"),
    ('"POST", "/rows/{row}", path={"row": 1}, json={"size": 1}', "no json `name`, which"),
    ('"POST", "/rows/{row}", path={"row": 1}, json={**{}, "size": 1}', ""),
    ('"GET", "/elsewhere", query={"any": 1}', ""),
)
def test_what_an_operation_does_not_take_is_broken(client, call, said):
    path = handler()
    edit(path, "    return await", f"    await {client}.send({call})\n    return await")
    line = path.read_text().splitlines().index(f"    await {client}.send({call})") + 1
    done = run("update", "server")
    assert done.exit_code == 0
    told = f"broken: {path.relative_to('server')}:{line}: sends {said}"
    assert (told in done.output) is bool(said)
    for code, text in checks():
        assert (code, text.count(told)) == ((3, 1) if said else (0, 0))


def test_a_parameter_that_leaves_the_document_is_broken_at_the_update(client):
    path = handler()
    call = '"GET", "/rows/{row}", path={"row": 1}, query={"since": 1}'
    edit(path, "    return await", f"    await {client}.send({call})\n    return await")
    assert run("update", "server").exit_code == 0
    assert [code for code, _ in checks()] == [0, 0]
    change(client, **{"/rows/{row}": operation("listRows", "rows", "size")})
    said = "sends query `since`, which is unknown to"
    assert said in run("update", "server").output
    for code, text in checks():
        assert (code, text.count(said)) == (3, 1)
    edit(path, '"since"', '"size"')
    assert [code for code, _ in checks()] == [0, 0]


def test_an_operation_that_is_only_left_out_may_be_sent(client):
    path = handler()
    call = '"GET", "/rows/{row}", path={"row": 1}'
    edit(path, "    return await", f"    await {client}.send({call})\n    return await")
    assert run("update", "server").exit_code == 0
    toml = Path("server/mcpgen.toml")
    name = next(n for n in ("listRows", "rows_listRows") if n in _tools())
    toml.write_text(f"{toml.read_text()}\n[tools.{name}]\nenabled = false\n")
    assert run("update", "server").exit_code == 0
    assert [code for code, _ in checks()] == [0, 0]
    change(client, **{"/rows/{row}": None, "/rowsets": operation("listSets", "rows")})
    assert "which the document no longer has" in run("update", "server").output
    assert {code for code, _ in checks()} == {3}


def call_rows(code: str) -> Path:
    """The module of the handler that lists rows, which that of beds calls by a line of code."""
    path = handler()
    (rows,) = (p for p in path.parent.glob("*.py") if "list_rows(" in p.read_text())
    name = next(line for line in rows.read_text().splitlines() if "list_rows(" in line)
    function = name.removeprefix("async def ").partition("(")[0]
    edit(path, "\n\n\n@tool", f"\nfrom .{rows.stem} import {function}\n\n\n@tool")
    line = code.replace("list_rows", function)
    edit(path, "    return await", f"    {line}\n    return await")
    return rows


@pytest.mark.parametrize("client", CLIENTS)
def test_a_type_checker_finds_what_an_update_takes_from_a_called_handler(
    client, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    make(client)
    call_rows('print((await list_rows(ctx, row="1", since=2)).data["soil"])')
    assert run("update", "server").exit_code == 0
    assert_typed(Path("server"), "garden_mcp")
    change(client, "id", **{"/rows/{row}": operation("listRows", "rows", "size")})
    assert run("update", "server").exit_code == 0
    with pytest.raises(AssertionError) as told:
        assert_typed(Path("server"), "garden_mcp")
    assert 'no key "soil"' in str(told.value)
    assert 'Unexpected keyword argument "since"' in str(told.value)


def test_a_handler_whose_called_handler_is_gone_is_broken(client):
    rows = call_rows("await list_rows(ctx, row=1)")
    assert run("update", "server").exit_code == 0
    assert [code for code, _ in checks()] == [0, 0]
    change(client, **{"/rows/{row}": None, "/rowsets": operation("listSets", "sets")})
    assert "broken: " in run("update", "server").output
    for code, told in checks():
        assert (code, f"{rows.relative_to('server')}`, which is gone" in told) == (3, True)


def _tools() -> set[str]:
    (listed,) = Path("server").glob("*/tools.json")
    return {each["name"] for each in json.loads(listed.read_text())["tools"]}
