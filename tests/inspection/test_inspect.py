"""`mcpgen inspect` and `settings`."""

import json
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import alone
import pytest
from click.testing import Result
from command_line import run
from diff_documents import document

from mcpgen import __version__
from mcpgen.processes import parallel
from mcpgen.settings import KEYS
from mcpgen.settings.reference import reference
from mcpgen.settings.rows import settings_of
from mcpgen.settings.settings import (
    Argument,
    Auth,
    Group,
    Pages,
    Poll,
    Publish,
    Scheme,
    Search,
    SignIn,
    Source,
    Tool,
)

SPEC = str(Path(__file__).parents[2] / "specs" / "bookshop.yaml")


def table(done: Result) -> list[list[str]]:
    """The cells of the table that stands at the end."""
    return [re.split("  +", line) for line in done.stdout.rpartition("\n\n")[2].splitlines()]


def test_inspect_a_document_and_its_server(tmp_path: Path) -> None:
    done = run("inspect", SPEC, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["count"] == 10
    assert sum(tool["tokens"] for tool in found["tools"]) == pytest.approx(
        found["tokens"], rel=0.05
    )
    assert found["problems"][0]["place"].startswith(f"{SPEC}:")
    assert run("from-openapi", SPEC, "-o", str(tmp_path / "s")).exit_code == 0
    same = json.loads(run("inspect", str(tmp_path / "s"), "--json").stdout)
    for tool in (*same["tools"], *found["tools"]):
        tool.pop("pages")  # only the search surface follows them
    assert same["tools"] == found["tools"]
    table = run("inspect", SPEC).stdout
    assert "GET /books/{book_id}/cover" in table


def test_what_is_wrong_with_a_document_is_told(tmp_path: Path) -> None:
    """A tool that it lacks is seen nowhere else."""
    file = tmp_path / "api.json"
    gone = {"parameters": [{"$ref": "#/components/gone"}]}
    file.write_text(json.dumps(document(a=gone, b={})))
    done = run("inspect", str(file), "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, [tool["name"] for tool in found["tools"]]) == (0, ["b"])
    assert "skipped" in {each["code"] for each in found["diagnostics"]}
    assert "#/components/gone" in done.stderr


@pytest.fixture(scope="module")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server whose `tools.json` is for each test to write: nothing else of it changes."""
    folder = tmp_path_factory.mktemp("bookshop") / "s"
    assert run("from-openapi", SPEC, "-o", str(folder)).exit_code == 0
    return folder


@pytest.mark.parametrize(
    "listed",
    [
        *("[]", '{"tools": {}}', '{"tools": [{}]}', '{"tools": [{"name": "a"}]}', "[[" * 99999),
        '{"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": "x"}}]}',
        '{"tools": [{"name": "a", "inputSchema": "x"}]}',
        '{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "description": 5}]}',
        '{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "annotations": "x"}]}',
    ],
)
def test_a_server_whose_tools_are_no_list_of_tools(bookshop: Path, listed: str) -> None:
    """It is told where that is."""
    path = bookshop / "bookshop_mcp" / "tools.json"
    path.write_text(listed)
    done = run("inspect", str(bookshop))
    assert (done.exit_code, f"  --> {path}:1:" in done.stderr) == (1, True), done.output


@pytest.mark.parametrize("listed", ["[]", "[[" * 99999])
def test_an_update_tells_that_the_list_of_tools_is_not_to_be_edited(
    bookshop: Path, listed: str
) -> None:
    path = bookshop / "bookshop_mcp" / "tools.json"
    path.write_text(listed)
    done = run("diff", SPEC, str(bookshop))
    assert (done.exit_code, f"  --> {path}:1:" in done.stderr) == (1, True), done.output
    for command, code in ("check", 3), ("update", 1):
        done = run(command, str(bookshop))
        assert (done.exit_code, "tools.json: was edited" in done.output) == (code, True)


def test_what_was_written_before_something_failed_is_not_denied(tmp_path: Path) -> None:
    places = [str(tmp_path / "mcpgen.toml"), str(tmp_path / "gone" / "page.html")]
    done = run("inspect", SPEC, "--write-settings", places[0], "--html", places[1])
    assert (done.exit_code, Path(places[0]).exists()) == (1, True)
    assert done.stderr == f"error: {places[1]}: No such file or directory\n"


def test_one_is_no_number_of_many(tmp_path: Path) -> None:
    query = {"name": "size", "in": "query", "schema": {"type": "integer"}}
    operation = {"summary": "List the plants of the garden", "parameters": [query]}
    (tmp_path / "api.json").write_text(json.dumps(document(listPlants=operation)))
    lines = run("inspect", str(tmp_path / "api.json")).stdout.splitlines()
    assert any(line.startswith("1 tool, about ") for line in lines)
    assert "1 problem for agents:" in lines


def test_limits() -> None:
    assert run("inspect", SPEC, "--max-tools", "10", "--max-tokens", "9000").exit_code == 0
    assert run("inspect", SPEC, "--max-tools", "9").exit_code == 3
    assert run("inspect", SPEC, "--max-tokens", "100").exit_code == 3


def test_limits_of_a_generation_are_located_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("from-openapi", SPEC, "-o", "s", "--max-tools", "4", "--max-tokens", "900", "--json")
    assert (done.exit_code, Path("s").exists()) == (1, False)
    found = {d["code"]: d for d in json.loads(done.stdout)["diagnostics"]}
    assert found["max-tools"]["pointer"] == "/paths/~1books~1{book_id}/patch"
    assert found["max-tokens"]["pointer"] == "/paths/~1books/get"
    assert found["max-tokens"]["line"] > 1
    assert run("from-openapi", SPEC, "-o", "s", "--max-tools", "10").exit_code == 0
    assert "\nmax_tools = 10\n" in Path("s/mcpgen.toml").read_text()
    assert run("check", "s").exit_code == 0
    Path("s/mcpgen.toml").write_text(f'source = "{SPEC}"\nmax_tools = 9\n')
    before = {p: p.read_bytes() for p in Path("s").rglob("*") if p.is_file()}
    assert run("update", "s").exit_code == 1
    assert before == {p: p.read_bytes() for p in Path("s").rglob("*") if p.is_file()}


def test_one_of_many_sources_is_read_from_the_input() -> None:
    text = Path(SPEC).read_text()
    found = json.loads(run("inspect", SPEC, "-", "--json", input=text).stdout)["sources"]
    assert [len(told["tools"]) for told in found] == [10, 10]


def handed_over(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
    """`parallel.each`, with all that processes would get from each other, in this one."""
    for item in items:
        there, given = pickle.loads(pickle.dumps((work, item)))
        yield pickle.loads(pickle.dumps(there(given)))


def test_many_sources_end_in_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        assert run("from-openapi", SPEC, "-o", f"servers/{name}").exit_code == 0
    Path("servers/other").mkdir()
    Path("servers/two/mcpgen.toml").write_text(f'source = "{SPEC}"\nmethods = ["get"]\n')
    with monkeypatch.context() as several:
        several.setattr(parallel, "each", handed_over)
        done = run("inspect", "servers/*", SPEC, "missing.yaml")
    checked = run("check", "servers/*")
    assert done.exit_code == 1
    head, *rows = table(done)
    assert head == ["server", "mcpgen", "state", "change", "tools", "listed", "tokens", "problems"]
    known = [__version__, "up to date", "same"], [__version__, "stale", "breaking"]
    assert [row[:4] for row in rows] == [
        ["servers/one", *known[0]],
        ["servers/two", *known[1]],
        [SPEC, "-", "-", "-"],
        ["missing.yaml", "-", "failed", "-"],
    ]
    assert rows[0][4] == "10"
    assert checked.exit_code == 3
    assert table(checked) == [head[:4], ["servers/one", *known[0]], ["servers/two", *known[1]]]
    found = json.loads(run("inspect", "servers/*", "--json").stdout)["sources"]
    standing = json.loads(run("check", "servers/*", "--json").stdout)["servers"]
    for told in (found, standing):
        assert [[s["mcpgen"], s["state"], s["change"]] for s in told] == list(known)
    with monkeypatch.context() as several:
        alone.end(several)
        several.setattr(parallel, "cpu_count", lambda: 1)  # one more process shows the same
        updated = run("update", "servers/*")
    assert table(updated)[2] == ["servers/two", __version__, "updated", "breaking"]
    assert table(run("inspect", "servers/*"))[2][:4] == ["servers/two", *known[0]]
    assert run("inspect", "servers/*", "--html", "page.html").exit_code == 2
    assert run("inspect", "nothing/*").exit_code == 2


def test_a_server_that_cannot_be_checked_is_shown_and_said_to_be_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("api.yaml").write_text(Path(SPEC).read_text())
    assert run("from-openapi", "api.yaml", "-o", "one", "--strict").exit_code == 0
    text = Path("api.yaml").read_text()
    Path("api.yaml").write_text(text.replace("/books:", "/books/{undeclared}/all:", 1))
    done = run("inspect", "one", SPEC)
    assert done.exit_code == 0
    assert table(done)[1][:4] == ["one", __version__, "unknown", "-"]
    assert "`strict` is set" in done.stderr
    assert run("check", "one").exit_code == 1
    assert run("update", "one").exit_code == 1
    Path("api.yaml").unlink()
    done = run("inspect", "one", SPEC)
    assert table(done)[1][2:4] == ["unknown", "-"]
    assert "api.yaml" in done.stderr


def test_written_settings_change_nothing_until_somebody_edits_them(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    assert run("from-openapi", SPEC, "-o", str(folder)).exit_code == 0
    before = (folder / "bookshop_mcp" / "tools.json").read_bytes()
    toml = folder / "mcpgen.toml"
    assert run("inspect", SPEC, "--write-settings", str(toml)).exit_code == 0
    assert run("inspect", SPEC, "--write-settings", str(toml)).exit_code == 1
    assert run("check", str(folder)).exit_code == 0
    assert run("update", str(folder)).exit_code == 0
    assert (folder / "bookshop_mcp" / "tools.json").read_bytes() == before
    text = toml.read_text()
    start = text.index('[tools."addBook"]')
    toml.write_text(text[:start] + text[start:].replace("# enabled", "enabled", 1))
    assert run("update", str(folder)).exit_code == 0
    assert b"addBook" not in (folder / "bookshop_mcp" / "tools.json").read_bytes()


def test_settings_are_written_before_there_is_a_server(tmp_path: Path) -> None:
    folder = tmp_path / "servers" / "shop"
    done = run("inspect", SPEC, "--write-settings", str(folder / "mcpgen.toml"))
    assert (done.exit_code, run("update", str(folder)).exit_code) == (0, 0), done.stderr
    assert run("check", str(folder)).exit_code == 0


def test_settings_before_the_server_of_a_tool_file(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: moor, inputSchema: {type: object}}]")
    server = tmp_path / "server"
    done = run("inspect", str(tmp_path / "tools.yaml"), "--write-settings", f"{server}/mcpgen.toml")
    assert (done.exit_code, run("update", str(server)).exit_code) == (0, 0), done.stderr
    toml = server / "mcpgen.toml"
    toml.write_text(
        toml.read_text().replace("# title", "title").replace('# name = "m', 'name = "m')
    )
    assert run("update", str(server)).exit_code == 0
    (tools,) = server.glob("*/tools.json")
    assert json.loads(tools.read_bytes())["tools"][0]["title"] == "moor"
    other = tmp_path / "other" / "mcpgen.toml"
    done = run("inspect", str(server), "--write-settings", str(other))
    assert (done.exit_code, other.exists()) == (1, False)
    assert "is not a document to make a server from" in done.stderr


def test_settings_lists_every_key() -> None:
    text = run("settings").stdout
    assert text == reference()
    for key, setting in KEYS.items():
        assert f"{key} =" in text or setting.row.table is not None
    _, *parts = re.split(r"\n\n(\[.*)\n", text)
    listed = [re.findall(r"^\w+", part, re.M) for part in parts[1::2]]
    assert dict(zip(parts[::2], listed, strict=True)) == {
        "[security_schemes.<name>]": [*settings_of(Scheme)],
        "[auth]": [*settings_of(Auth)],
        "[sign_in]": [*settings_of(SignIn)],
        '[groups."<name>"]': [*settings_of(Group)],
        "[search]": [*settings_of(Search)],
        "[publish]": [*settings_of(Publish)],
        "[[with]] (--with)": [*settings_of(Source)],
        '[tools."<name>"]': [*settings_of(Tool)],
        '[tools."<name>".poll]': [*settings_of(Poll)],
        '[tools."<name>".pages]': [*settings_of(Pages)],
        '[tools."<name>".arguments."<argument>"]': [*settings_of(Argument)],
    }


def test_the_request_of_a_hand_written_tool_is_shown(tmp_path: Path) -> None:
    file = str(Path(SPEC).with_name("tools-http.yaml"))
    found = json.loads(run("inspect", file, "--json").stdout)
    shown = {tool["name"]: tool["operation"] for tool in found["tools"]}
    assert shown["get_berth"] == "GET /berths/{number}"
    lines = run("inspect", file).stdout.splitlines()
    row = next(line for line in lines if line.startswith("get_berth"))
    assert re.search(r"GET /berths/\{number\} +reads", row)
    assert run("inspect", file, "--html", str(tmp_path / "page.html")).exit_code == 0
    assert "GET /berths/{number}" in (tmp_path / "page.html").read_text("utf-8")


def test_a_collection_in_pages_is_shown_with_its_way(tmp_path: Path) -> None:
    text = {"type": "string"}
    items = {"type": "array", "items": {"type": "object", "properties": {"id": text}}}
    answer = {"type": "object", "properties": {"items": items, "next_cursor": text}}
    content = {"application/json": {"schema": answer}}
    operation = {
        "parameters": [{"name": "cursor", "in": "query", "schema": text}],
        "responses": {"200": {"description": "ok", "content": content}},
    }
    path = tmp_path / "pets.json"
    path.write_text(json.dumps(document(listPets=operation, ping={})))
    shown = run("inspect", str(path)).stdout
    assert "reads pages" in shown
    assert "ping" in shown
    tools = json.loads(run("inspect", str(path), "--json").stdout)["tools"]
    assert {tool["name"]: tool["pages"] for tool in tools} == {"listPets": "cursor", "ping": None}


@pytest.mark.parametrize("name", ["tools.json", "pages.json", ""])
def test_what_is_behind_a_link_in_a_server_is_not_shown(tmp_path: Path, name: str) -> None:
    server = tmp_path / "server"
    assert run("from-openapi", SPEC, "-o", str(server)).exit_code == 0
    (package,) = server.glob("*_mcp")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret").write_text("hunter2: CANARY\n", "utf-8")
    (elsewhere / "tools.json").symlink_to("secret")
    linked = package / name
    if linked.exists():
        linked.rename(tmp_path / "before")
    linked.symlink_to(elsewhere / "secret" if name else elsewhere)
    for arguments in (("inspect", str(server)), ("diff", str(server), SPEC)):
        done = run(*arguments)
        assert done.exit_code != 0
        assert "is reached through a symbolic link" in done.output
        assert "CANARY" not in done.output
