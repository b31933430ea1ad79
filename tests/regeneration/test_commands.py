"""`mcpgen update` and `check` from the outside, and all that can be wrong with a folder."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from mcpgen import generate as generating
from mcpgen import lock as locks
from mcpgen.cli import progress
from mcpgen.hashes import digest
from mcpgen.regeneration import layout

from .garden import Make

HANDLERS = "server/garden_mcp/handlers/beds.py"


def document(**parameters: str) -> dict[str, Any]:
    listed = [{"name": n, "in": "query", "schema": {"type": t}} for n, t in parameters.items()]
    answer = {"200": {"description": "ok"}}
    operation = {"operationId": "listBeds", "tags": ["beds"], "responses": answer}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Garden", "version": "1"},
        "servers": [{"url": "https://garden.example"}],
        "paths": {"/beds": {"get": {**operation, "parameters": listed}}},
    }


def write(**parameters: str) -> None:
    Path("api.json").write_text(json.dumps(document(**parameters)))


def edit(old: str, new: str, path: str = HANDLERS) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


@pytest.fixture(autouse=True)
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    monkeypatch.chdir(tmp_path)
    write(a="integer")
    made_once("from-openapi", "api.json")


def test_check_and_update() -> None:
    assert run("check", "server").exit_code == 0
    write(a="string", b="integer")
    before = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    done = run("check", "server", "--json")
    assert done.exit_code == 3
    (found,) = json.loads(done.stdout)["servers"]
    assert HANDLERS.removeprefix("server/") in found["changed"]
    assert {(c["code"], c["where"]) for c in found["tools"]} == {
        ("argument-added", "b"),
        ("input-narrowed", "a"),
    }
    assert before == {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    told = run("check", "server", "--format", "github").stdout
    assert f"::error file={HANDLERS},line=1,col=1::" in told
    assert run("update", "server").exit_code == 0
    assert run("check", "server").exit_code == 0
    assert "b: int | Unset = UNSET" in Path(HANDLERS).read_text()
    Path("server/mcpgen.lock").unlink()
    done = run("check", "server", "--format", "github")
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith("::error::server has no mcpgen.lock")


def test_annotations_and_json_say_what_the_text_says() -> None:
    settings = Path("server/mcpgen.toml")
    before = settings.read_text()
    settings.write_text(f"{before}\n[tools.listBedz]\ntitle = 'Beds'\n")
    assert "\n  changed: mcpgen.lock\n" in run("check", "server").stdout
    (found,) = json.loads(run("check", "server", "--json").stdout)["servers"]
    assert (found["clean"], found["changed"]) == (False, ["mcpgen.lock"])
    told = run("check", "server", "--format", "github").stdout.splitlines()
    line = len(before.splitlines()) + 2
    assert told[:2] == [
        f"::warning file=server/mcpgen.toml,line={line},col=8::there is no tool `listBedz`"
        "%0ADid you mean `listBeds`?",
        "::error file=server/mcpgen.lock,line=1,col=1::"
        "mcpgen.lock is not what mcpgen generates today",
    ]
    Path("server/garden_mcp/tools.json").write_text("{}\n")
    told = run("check", "server", "--format", "github").stdout.splitlines()
    assert any(
        each.startswith("::notice::server: garden_mcp/tools.json: was edited") for each in told
    )


def test_an_import_that_fails_is_annotated_where_a_person_wrote_it() -> None:
    Path("server/garden_mcp/helpers.py").write_text("from .api import AGE\n")
    said = "takes `AGE` from `garden_mcp/api.py`, which has none"
    told = run("check", "server", "--full", "--format", "github").stdout.splitlines()
    assert told == [f"::warning file=server/garden_mcp/helpers.py,line=1,col=1::{said}"]


def test_an_error_without_a_place_names_its_server_where_there_are_several() -> None:
    shutil.copytree("server", "second")
    settings = Path("second/mcpgen.toml")
    settings.write_text(f"strict = true\n{settings.read_text()}[tools.listBedz]\ntitle = 'a'\n")
    said = "second: `strict` is set, and there are warnings"
    assert f"error: {said}\n" in run("check", "server", "second").stderr
    assert f"::error::{said}\n" in run("check", "second", "--format", "github").stdout


def test_an_error_in_a_document_names_its_server_where_there_are_several() -> None:
    shutil.copytree("server", "second")
    settings = Path("second/mcpgen.toml")
    settings.write_text(f"max_tokens = 1\n{settings.read_text()}")
    said, lock = "second cannot be generated: max-tokens", Path("second/mcpgen.lock").read_bytes()
    for command in ("check", "update"):
        done = run(command, "server", "second")
        assert done.exit_code == 1
        assert Path("second/mcpgen.lock").read_bytes() == lock
        assert "error[max-tokens]" in done.stderr.partition(f"error: {said}\n")[0]
        assert said not in run(command, "second").stderr
    assert f"::error::{said}\n" in run("check", "second", "--format", "github").stdout


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("max_tokens = 1\n{}", "error[max-tokens]: "),
        ("{}[tools]\n", ""),
        ("", "error[not-checked]: second has no mcpgen.toml; restore it from version control"),
    ],
)
def test_the_standing_of_a_server_is_unknown_where_it_cannot_be_made(
    settings: str, told: str
) -> None:
    shutil.copytree("server", "second")
    path = Path("second/mcpgen.toml")
    path.write_text(settings.format(path.read_text()))
    if not settings:
        path.unlink()
    done = run("inspect", "server", "second")
    assert done.exit_code == 0
    assert told in done.stderr
    assert ("\nsecond  0.1.0   unknown " in done.stdout) is bool(told)
    alone = json.loads(run("inspect", "second", "--json").stdout)
    assert alone["state"] == ("changed" if told else "up to date")


def test_a_missing_and_a_left_over_file_are_named() -> None:
    Path("server/README.md").unlink()
    found = json.loads(run("check", "server", "--json").stdout)["servers"][0]
    assert found["missing"] == ["README.md"]
    changed = document(a="integer")
    changed["paths"]["/beds"]["get"]["tags"] = ["rows"]
    Path("api.json").write_text(json.dumps(changed))
    found = json.loads(run("check", "server", "--json").stdout)["servers"][0]
    assert found["left_over"] == ["garden_mcp/handlers/beds.py"]
    told = run("check", "server", "--format", "github").stdout
    said = "garden_mcp/handlers/beds.py is left over"
    assert f"::error file={HANDLERS},line=1,col=1::{said}\n" in told


def test_that_only_the_lock_changes_is_said() -> None:
    Path("api.json").write_text(Path("api.json").read_text() + "\n")
    assert "  changed: mcpgen.lock\n" in run("check", "server").stdout
    assert run("update", "server").stdout.startswith("server: only the lock changed\n")
    assert run("update", "server").stdout == "server: nothing changed\n"


def test_of_many_changes_of_tools_some_are_counted() -> None:
    write(**{f"a{number}": "integer" for number in range(30)})
    lines = run("check", "server").stdout.splitlines()
    assert sum("argument-" in line for line in lines) == 20
    assert "  11 more kinds of changes of tools; see `mcpgen diff`" in lines


def test_a_document_that_moved_is_named_anew() -> None:
    Path("spec").mkdir()
    Path("api.json").rename("spec/shop.json")
    for command in ("update", "check"):
        done = run(command, "server")
        told = " ".join(done.stderr.split())
        assert done.exit_code == 1
        assert "api.json, the document of server, is not there" in told
        assert "`source` in server/mcpgen.toml" in told
    assert run("from-openapi", "spec/shop.json", "-o", "server").exit_code == 0
    assert 'source = "../spec/shop.json"' in Path("server/mcpgen.toml").read_text()
    assert run("check", "server").exit_code == 0


def test_edited_handlers_are_clean() -> None:
    edit("    return await", "    # Mine.\n    return await")
    assert run("check", "server").exit_code == 0
    write(a="integer", b="integer")
    assert run("update", "server").exit_code == 0
    assert "# Mine." in Path(HANDLERS).read_text()
    assert '"b": b' in Path(HANDLERS).read_text()
    assert run("check", "server").exit_code == 0


def test_a_conflict_is_shown_once_and_the_rest_is_applied() -> None:
    edit('{"a": a}', '{"a": mine(a)}')
    changed = document(a="string")
    changed["paths"]["/beds"]["get"]["parameters"][0]["style"] = "pipeDelimited"
    changed["paths"]["/beds"]["get"]["parameters"][0]["schema"] = {"type": "array"}
    Path("api.json").write_text(json.dumps(changed))
    told = run("check", "server", "--format", "github").stdout
    done = run("update", "server")
    lines = Path(HANDLERS).read_text().splitlines()
    place = next(n for n, line in enumerate(lines, 1) if "async def list_beds" in line)
    assert f"::error file={HANDLERS},line={place},col=1::tool listBeds: call query.a was" in told
    assert done.exit_code == 1
    assert f"conflict: {HANDLERS}:{place}: tool listBeds: call query.a was" in done.stdout
    assert "mine(a)" in done.stdout
    assert "style.pipe_delimited(a)" in done.stdout
    assert "a: list[Any]" in Path(HANDLERS).read_text()
    assert "mine(a)" in Path(HANDLERS).read_text()
    assert run("check", "server").exit_code == 0
    assert run("update", "server").exit_code == 0


@pytest.mark.parametrize("how", ["theirs", "markers"])
def test_conflicts_otherwise(how: str) -> None:
    edit("GET /beds.", "all the beds.")
    changed = document(a="integer")
    changed["paths"]["/beds"]["get"]["summary"] = "Show beds"
    Path("api.json").write_text(json.dumps(changed))
    assert run("update", "server", "--conflicts", how).exit_code == 1
    text = Path(HANDLERS).read_text()
    assert "Show beds" in text
    assert ("all the beds" in text) is (how == "markers")
    if how == "markers":
        done = run("update", "server")
        assert done.exit_code == 1
        assert "does not parse" in done.output


def test_settings_decide_and_flags_are_kept() -> None:
    edit("# page_size = 0", "page_size = 7", "server/mcpgen.toml")
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert "page_size=7" in Path("server/garden_mcp/server.py").read_text()
    assert run("from-openapi", "api.json", "-o", "server", "--page-size", "9").exit_code == 0
    assert "\npage_size = 9\n" in Path("server/mcpgen.toml").read_text()
    assert run("check", "server").exit_code == 0


LISTED = '\ninclude_tags = [\n  "weeds",\n  "beds",\n]  # all\n'


def test_flags_change_lists_over_several_lines() -> None:
    settings = Path("server/mcpgen.toml")
    settings.write_text(settings.read_text() + LISTED)
    assert run("from-openapi", "api.json", "-o", "server", "--include-tag", "beds").exit_code == 0
    assert settings.read_text().endswith('\ninclude_tags = ["beds"]  # all\n')


@pytest.mark.parametrize(
    "before",
    [
        "include_tags = ['pens']",
        'include_tags = [\n    "pens",\n    "tubs#",\n]',
        "include_tags=[]",
        "# include_tags = []",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_flags_leave_the_comment_behind_a_value(before: str, end: str) -> None:
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    said = 'name = "garden"   # "ours" = [ours]\nmax_tools = 9# many\npage_size = 8\n'
    text = f"source = '../api.json'\n{before}  # why\n{said}"
    Path("server/mcpgen.toml").write_bytes(text.replace("\n", end).encode())
    flags = ("--include-tag", "beds", "--name", "garden", "--max-tools", "7")
    flags += ("--page-size", "6")
    assert run("from-openapi", "api.json", "-o", "server", *flags).exit_code == 0
    said = 'name = "garden"   # "ours" = [ours]\nmax_tools = 7# many\npage_size = 6\n'
    why = "" if before.startswith("#") else "  # why"
    kept = f"source = '../api.json'\ninclude_tags = [\"beds\"]{why}\n{said}"
    assert Path("server/mcpgen.toml").read_bytes().decode() == kept.replace("\n", end)


def test_flags_keep_the_line_ends_and_the_paths_that_people_wrote() -> None:
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    start = f"source = './../api.json'\nname = 'garden'\ntemplates = '{Path().absolute()}/own'"
    further = f"\n[[with]]\nsource = '{Path('more.json').absolute()}'\n"
    Path("own").mkdir()
    settings = Path("server/mcpgen.toml")
    settings.write_bytes(f"{start}\n{further}".replace("\n", "\r\n").encode())
    done = run("from-openapi", "api.json", "-o", "server", "--page-size", "6")
    assert done.exit_code == 0, done.output
    kept = f"{start}\n\npage_size = 6\n{further}".replace("\n", "\r\n")
    assert settings.read_bytes().decode() == kept
    Path("weeds.json").write_text(Path("api.json").read_text().replace("Garden", "Weeds"))
    done = run("from-openapi", "api.json", "-o", "server", "--with", "weeds.json")
    assert done.exit_code == 0, done.output
    kept += '\r\n[[with]]\r\nsource = "../weeds.json"\r\n'
    assert settings.read_bytes().decode() == kept
    sources = ("--with", "weeds.json", "--with", "more.json")
    done = run("from-openapi", "api.json", "-o", "server", *sources)
    assert (done.exit_code, settings.read_bytes().decode()) == (0, kept), done.output


def test_a_flag_that_cannot_be_written_is_left_to_the_user() -> None:
    settings = Path("server/mcpgen.toml")
    settings.write_text(settings.read_text() + LISTED.replace("weeds", "]"))
    before = settings.read_text()
    done = run("from-openapi", "api.json", "-o", "server", "--include-tag", "beds")
    assert done.exit_code == 1
    assert "Change the settings in mcpgen.toml by hand" in done.stderr
    assert settings.read_text() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [("return await", "return await await ("), ("ctx: Context", "ctx, ctx: Context")],
)
def test_a_handler_that_does_not_parse_stops_everything(old: str, new: str) -> None:
    """Nor one that parses, and that Python does not take all the same."""
    edit(old, new)
    write(a="string")
    before = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    done = run("update", "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert f"{HANDLERS}:" in done.output
    assert before == {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


def test_line_ends_and_encodings_stay() -> None:
    path = Path(HANDLERS)
    text = path.read_text().replace("    return await", "    # für uns\n    return await")
    path.write_bytes(("# -*- coding: latin-1 -*-\n" + text).replace("\n", "\r\n").encode("latin-1"))
    write(a="string", b="string")
    assert run("update", "server").exit_code == 0
    data = path.read_bytes()
    assert "# für uns\r\n".encode("latin-1") in data
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"b: str" in data
    assert run("check", "server").exit_code == 0


def test_a_checkout_with_other_line_ends_is_clean() -> None:
    for path in Path("server").rglob("*"):
        if path.is_file() and path.name != "mcpgen.lock":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("check", "server").exit_code == 0
    assert run("check", "server", "--full").exit_code == 0


def test_an_edit_of_what_is_ours_is_refused() -> None:
    edit("listBeds", "listMyBeds", "server/garden_mcp/tools.json")
    told = "tools.json: was edited, but it is generated: write it to mcpgen.toml"
    for command, code in (("check", 3), ("update", 1)):
        done = run(command, "server")
        assert (done.exit_code, told in done.output) == (code, True)
    done = run("update", "server", "--force")
    assert (done.exit_code, told in done.output) == (0, True)
    assert run("check", "server").exit_code == 0


def test_what_a_formatter_made_of_a_file_of_ours_is_no_edit() -> None:
    package = Path("server/garden_mcp")
    table, tools = package / "handlers/__init__.py", package / "tools.json"
    before = table.read_bytes(), tools.read_bytes()
    table.write_text(table.read_text().replace("{", "{  ").replace('"', "'"))
    tools.write_text(json.dumps(json.loads(tools.read_text()), indent=8))
    assert run("check", "server").exit_code == 3
    done = run("update", "server")
    assert done.exit_code == 0
    told = f"{table.relative_to('server')}: was formatted (files: 2)"
    assert f"{told}: leave what is generated out of formatters" in done.output
    assert (table.read_bytes(), tools.read_bytes()) == before
    table.write_text(f"{table.read_text()}# Mine.\n")
    assert "was edited, but it is generated" in run("update", "server").stderr


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "import b\nfrom a import d, c\n",
            "from a import (\n  c,\n)\nfrom a import d\nimport b\n",
            True,
        ),
        ("if x:\n    import b\n    import a\n", "if x:\n  import a\n  import b\n", True),
        ("def f(a: int) -> None: ...\n", "def f(\n    a: (int),\n) -> None:\n    ...\n", True),
        ("x = 'a'\n", 'x = "a"\n', True),
        ("import b\nx = 1\nimport a\n", "import a\nx = 1\nimport b\n", False),
        ("x = 1\n", "x = 1  # Mine.\n", False),
        ("x = 1\n", "x = 1.0\n", False),
        ("x = 1\n", "x = (1\n", False),
    ],
)
def test_layout_is_what_formatters_change(one: str, other: str, same: bool) -> None:
    assert layout.is_same("a.py", one, other) == same
    assert not layout.is_same("a.txt", one, other)


def refused(told: str) -> None:
    before = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    for command in ("check", "update", "inspect"):
        done = run(command, "server")
        assert (done.exit_code, type(done.exception)) == (1, SystemExit)
        assert told in done.stderr or (command == "inspect" and "not-a-server" in done.stderr)
    assert before == {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


@pytest.mark.parametrize("text", ["", "{", "[]", "<<<<<<< HEAD\n{}", "\ud800", "[" * 99_999])
def test_a_lock_that_cannot_be_read(text: str) -> None:
    Path("server/mcpgen.lock").write_bytes(text.encode("utf-8", "surrogatepass"))
    refused("mcpgen.lock is damaged; restore it from version control")


@pytest.mark.parametrize("known", [False, True])
def test_a_lock_of_a_newer_version(known: bool) -> None:
    path = Path("server/mcpgen.lock")
    members = json.loads(path.read_text()) if known else {"later": True}
    path.write_text(json.dumps({**members, "lock": 99}))
    refused("mcpgen.lock was written by a newer mcpgen; upgrade mcpgen")
    before = path.read_bytes()
    for command in (("update", "server"), ("from-openapi", "api.json", "-o", "server")):
        done = run(*command, "--force")
        assert (done.exit_code, "upgrade mcpgen" in done.stderr) == (1, True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("version", "newer"),
    [
        *[(newer, True) for newer in ("99.0", "0.10.0", "0.1.0.1", "0.2.0rc1", "0.2.0.dev1")],
        *[(same, False) for same in ("0.1.0", "0.1", "0.1.0.0", "0.1.0rc1", "0.1.0.dev3+g15")],
        *[(other, False) for other in ("0.0.9", "unknown", "0.0.9+99")],
    ],
)
def test_a_server_of_another_mcpgen(version: str, newer: bool) -> None:
    path = Path("server/mcpgen.lock")
    path.write_text(path.read_text().replace('"mcpgen": "0.1.0"', f'"mcpgen": "{version}"'))
    told = f"mcpgen {version} generated this server, and this is the older 0.1.0"
    assert (told in run("check", "server").stderr) == newer
    assert (told in run("update", "server").stderr) == newer
    assert run("check", "server").exit_code == 0


@pytest.mark.parametrize("key", locks.FACTS)
def test_a_lock_with_values_that_cannot_be(key: str) -> None:
    path = Path("server/mcpgen.lock")
    good = json.loads(path.read_text())
    for bad in (1, None, [], {"a": 1}, {"a": {"b": {"c": 1}}}, [[]]):
        path.write_text(json.dumps({**good, key: bad}))
        refused("mcpgen.lock is damaged")


def test_a_lock_whose_version_cannot_be() -> None:
    path = Path("server/mcpgen.lock")
    good = json.loads(path.read_text())
    for bad in (None, "3", 0, -1, [], {}):
        path.write_text(json.dumps({**good, "lock": bad}))
        refused("mcpgen.lock is damaged")
    del good["lock"]
    path.write_text(json.dumps(good))
    refused("mcpgen.lock is damaged")


@pytest.mark.parametrize("path", ["../api.json", "/tmp/api.json", "a/../../api.json"])
def test_a_lock_that_names_a_file_elsewhere(path: str) -> None:
    lock = Path("server/mcpgen.lock")
    known = json.loads(lock.read_text())
    known["files"][path] = digest(Path("api.json").read_bytes())
    lock.write_text(json.dumps(known))
    refused("mcpgen.lock is damaged")
    assert Path("api.json").exists()


def test_without_a_lock_nothing_is_known_and_nothing_lost() -> None:
    edit("    return await", "    # Mine.\n    return await")
    Path("server/mcpgen.lock").unlink()
    refused("server has no mcpgen.lock; restore it from version control")
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 1
    write(a="string", b="integer")
    done = run("update", "server", "--force")
    assert done.exit_code == 1
    assert f"conflict: {HANDLERS}:" in done.stdout
    assert "# Mine." in Path(HANDLERS).read_text()
    assert run("check", "server").exit_code == 0


def test_settings_may_come_before_the_server() -> None:
    Path("new").mkdir()
    assert run("inspect", "api.json", "--write-settings", "new/mcpgen.toml").exit_code == 0
    edit("# page_size = 0", "page_size = 7", "new/mcpgen.toml")
    done = run("check", "new")
    assert (done.exit_code, "run `mcpgen update`" in done.stderr) == (1, True)
    assert run("update", "new").exit_code == 0
    assert "page_size=7" in Path("new/garden_mcp/server.py").read_text()
    assert run("check", "new").exit_code == 0


def test_without_settings_there_is_nothing_to_go_by() -> None:
    Path("server/mcpgen.toml").unlink()
    for command in ("update", "check"):
        done = run(command, "server")
        assert done.exit_code == 1
        assert "server has no mcpgen.toml; restore it from version control" in done.stderr
        assert done.stdout == ""
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    assert run("check", "server").exit_code == 0


def test_a_folder_that_is_named_twice_is_updated_once() -> None:
    write(a="string")
    done = run("update", "server", "server/", "./serv*")
    assert (done.exit_code, done.stdout.count("server: ")) == (0, 1)


def test_a_folder_whose_name_looks_like_a_glob_is_taken_by_its_name() -> None:
    Path("server").rename("server[1]")
    assert run("check", "server[1]").exit_code == 0


def test_a_glob_passes_over_no_server_that_lost_its_lock() -> None:
    Path("server/mcpgen.lock").unlink()
    Path("serve").mkdir()
    done = run("check", "serve*")
    assert done.exit_code == 1
    assert done.stderr.count("error:") == 1
    assert "server has no mcpgen.lock" in done.stderr


@pytest.mark.parametrize("codec", ["zlib", "rot13", "punycode", "nonsense"])
@pytest.mark.parametrize("command", ["check", "update"])
def test_code_in_what_is_no_charset_is_told(command: str, codec: str) -> None:
    code = Path(HANDLERS).read_text()
    Path(HANDLERS).write_text(f"# coding: {codec}\n{code}")
    done = run(command, "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert "error[handler-encoding]" in done.stderr
    assert Path(HANDLERS).read_text().endswith(code)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["check", "server"], 3), (["inspect", "server"], 1), (["diff", "server", "server"], 1)],
)
def test_no_device_is_read_in_place_of_the_tools(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int
) -> None:
    """Where a stranger's link leads to `/dev/zero`, reading has no end."""
    [tools] = Path("server").glob("*/tools.json")
    tools.unlink()
    tools.symlink_to(os.devnull)
    reading = Path.read_bytes

    def read(path: Path) -> bytes:
        assert path.is_file(), path
        return reading(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    done = run(*arguments)
    assert (done.exit_code, type(done.exception)) == (code, SystemExit)


def test_a_link_to_a_server_is_not_the_server() -> None:
    Path("link").symlink_to("server")
    done = run("update", "link")
    assert done.exit_code == 1
    assert "link is a symbolic link; name the folder" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("command", ["check", "update"])
def test_a_file_that_cannot_be_looked_at_is_named(command: str) -> None:
    Path(HANDLERS).unlink()
    Path(HANDLERS).symlink_to(Path(HANDLERS).name)
    done = run(command, "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert f"error: {HANDLERS}: Too many levels of symbolic links\n" in done.stderr


def test_a_document_from_standard_input_is_read_each_time() -> None:
    text = Path("api.json").read_text()
    assert run("from-openapi", "-", "-o", "piped", input=text).exit_code == 0
    assert run("check", "piped", input=text).exit_code == 0
    assert run("check", "piped", input=text.replace("listBeds", "listRows")).exit_code == 3


def test_a_folder_of_something_else() -> None:
    Path("other").mkdir()
    Path("full").mkdir()
    Path("full/notes.txt").write_text("mine")
    for name in ("other", "nothing", "full"):
        done = run("update", name)
        assert done.exit_code == 1
        assert "no mcpgen.lock" in done.output


def test_a_helper_keeps_its_name() -> None:
    edit("@tool", "def list_rows() -> None:\n    pass\n\n\n@tool")
    changed = document(a="integer")
    changed["paths"]["/rows"] = {
        "get": {
            "operationId": "listRows",
            "tags": ["beds"],
            "responses": {"204": {"description": ""}},
        }
    }
    Path("api.json").write_text(json.dumps(changed))
    assert run("update", "server").exit_code == 0
    text = Path(HANDLERS).read_text()
    assert text.count("def list_rows(") == 1
    assert "async def list_rows_" in text


def test_force_makes_a_server_again_of_which_nothing_changed() -> None:
    settings = Path("server/mcpgen.toml")
    settings.write_text(f'{settings.read_text()}\n[tools.nobody]\nname = "somebody"\n')
    assert run("update", "server").exit_code == 0
    assert "nobody" not in run("update", "server").stderr
    assert "there is no tool `nobody`" in run("update", "--force", "server").stderr


def test_a_checkout_with_other_line_ends_is_up_to_date() -> None:
    document = Path("api.json")
    document.write_text(document.read_text().replace(", ", ",\n"))
    templates = Path("server/templates")
    templates.mkdir()
    (templates / "notes.md.jinja").write_text("{#- path: notes.md #}\nNotes.\n")
    settings = Path("server/mcpgen.toml")
    settings.write_text(f'{settings.read_text()}\ntemplates = "templates"\n')
    assert run("update", "server").exit_code == 0
    edit('"""List beds', '"""List all beds', "server/garden_mcp/handlers/beds.py")
    assert run("update", "server").exit_code == 0
    for path in [document, *Path("server").rglob("*.*")]:
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for command in (["check"], ["check", "--full"], ["update"]):
        done = run(*command, "server")
        assert done.exit_code == 0, done.output
    assert "nothing changed" in done.output


@pytest.mark.parametrize("there", [False, True])
def test_another_run_that_was_faster_is_not_written_over(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("other.json").write_text(json.dumps(document(c="string")))
    folder = "server" if there else "new"
    generate = generating.generate

    def overtaken(*given: Any, **named: Any) -> Any:
        made = generate(*given, **named)
        monkeypatch.setattr(generating, "generate", generate)
        assert run("from-openapi", "other.json", "-o", folder).exit_code == 0
        return made

    monkeypatch.setattr(generating, "generate", overtaken)
    done = run("from-openapi", "api.json", "-o", folder)
    assert done.exit_code == 1
    assert f"{folder} has another lock than when this run began; nothing was changed" in done.stderr
    assert run("check", folder).exit_code == 0
    assert "other.json" in Path(folder, "mcpgen.toml").read_text()


@pytest.mark.parametrize("command", ["check", "update"])
def test_what_a_file_is_called_is_shown_and_not_obeyed(command: str) -> None:
    odd = "garden_mcp/handlers/a\x1b[31m\n::stop-commands::x.py"
    Path("server", odd).write_text("def f( :\n")
    lock = Path("server/mcpgen.lock")
    held = json.loads(lock.read_text())
    lock.write_text(json.dumps({**held, "files": {**held["files"], odd: "0"}}))
    done = run(command, "server")
    assert done.exit_code == 1
    assert r"handlers/a\x1b[31m\n::stop-commands::x.py:1:8: does not parse" in done.stderr


@pytest.mark.usefixtures("usual_depth")
@pytest.mark.parametrize(
    ("command", "nested"),
    [
        ("update", "1" + " + 1" * 2_000),
        *(("check", code) for code in ("a" + ".b()" * 60_000, "-" * 60_000 + "1")),
    ],
)
def test_code_that_is_nested_too_deeply_is_told(command: str, nested: str) -> None:
    with Path(HANDLERS).open("a") as file:
        file.write(f"\nx = {nested}\n")
    before = Path(HANDLERS).read_bytes()
    write(a="string")
    done = run(command, "server")
    assert done.exit_code == 1
    assert f"{HANDLERS.removeprefix('server/')}" in done.stderr
    assert "cannot be read: its code is nested too deeply" in done.stderr
    assert Path(HANDLERS).read_bytes() == before


def test_no_line_of_a_report_is_a_command_of_a_job() -> None:
    """Neither one of a handler that is shown for a conflict, nor one of the document."""
    edit('    """List beds: GET /beds."""', '    """Mine.\n\n    ::stop-commands::x\n    """')
    named = json.loads(json.dumps(document(a="strange")).replace("/beds", "/beds/##[add-mask]"))
    Path("api.json").write_text(json.dumps(named, indent=1))
    done = run("update", "server")
    assert "conflict: " in done.stdout
    lines = done.output.splitlines()
    assert [line for line in lines if "stop-commands" in line or "add-mask" in line]
    assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def test_what_a_folder_is_called_is_no_command_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor for a terminal, where work takes so long that progress is told."""
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    odd = "server\x1b[31m\n::stop-commands::x"
    shutil.copytree("server", odd)
    said = run("check", "server*").stderr
    assert r"2 of 2, server\x1b[31m\n::stop-commands::x" in said
