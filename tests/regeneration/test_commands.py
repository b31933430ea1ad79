"""`mcpgen update` and `check` from the outside: what is made again and what people wrote stays."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from tables import table

from mcpgen import generate as generating
from mcpgen.regeneration import layout

from .beds import HANDLERS, document, edit, write

pytestmark = pytest.mark.usefixtures("beds")


def test_check_and_update():
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


def test_a_conflict_is_shown_once_and_the_rest_is_applied():
    edit('{"a": a}', '{"a": mine(a)}')
    edit("\n\n\n@tool", "\n\n\ndef mine(a: object) -> object:\n    return a\n\n\n@tool")
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
def test_conflicts_otherwise(how):
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


@table("old, new", ("return await", "return await await ("), ("ctx: Context", "ctx, ctx: Context"))
def test_a_handler_that_does_not_parse_stops_everything(old, new):
    """Nor one that parses, and that Python does not take all the same."""
    edit(old, new)
    write(a="string")
    before = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    done = run("update", "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert f"{HANDLERS}:" in done.output
    assert before == {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


def test_line_ends_and_encodings_stay():
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


def test_an_edit_of_what_is_ours_is_refused():
    edit("listBeds", "listMyBeds", "server/garden_mcp/tools.json")
    told = "tools.json: was edited, but it is generated: write it to mcpgen.toml"
    for command, code in (("check", 3), ("update", 1)):
        done = run(command, "server")
        assert (done.exit_code, told in done.output) == (code, True)
    done = run("update", "server", "--force")
    assert (done.exit_code, told in done.output) == (0, True)
    assert run("check", "server").exit_code == 0


def test_what_a_formatter_made_of_a_file_of_ours_is_no_edit():
    package = Path("server/garden_mcp")
    table, tools = package / "handlers/__init__.py", package / "tools.json"
    before = table.read_bytes(), tools.read_bytes()
    table.write_text(table.read_text().replace("{", "{  ").replace('"', "'"))
    tools.write_text(json.dumps(json.loads(tools.read_text()), indent=8))
    assert run("check", "server").exit_code == 3
    done = run("update", "server")
    assert done.exit_code == 0
    told = f"{table.relative_to('server')}: a formatter changed this file and 1 more"
    assert f"{told}: exclude generated files from formatters" in done.output
    assert (table.read_bytes(), tools.read_bytes()) == before
    table.write_text(f"{table.read_text()}# Mine.\n")
    assert "was edited, but it is generated" in run("update", "server").stderr


@table(
    "one, other, same",
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
)
def test_layout_is_what_formatters_change(one, other, same):
    assert layout.is_same("a.py", one, other) == same
    assert not layout.is_same("a.txt", one, other)


@pytest.mark.parametrize("codec", ["zlib", "rot13", "punycode", "nonsense"])
@pytest.mark.parametrize("command", ["check", "update"])
def test_code_in_what_is_no_charset_is_told(command, codec):
    code = Path(HANDLERS).read_text()
    Path(HANDLERS).write_text(f"# coding: {codec}\n{code}")
    done = run(command, "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert "error[handler-encoding]" in done.stderr
    assert Path(HANDLERS).read_text().endswith(code)


def test_a_document_from_standard_input_is_read_each_time():
    text = Path("api.json").read_text()
    assert run("from-openapi", "-", "-o", "piped", input=text).exit_code == 0
    assert run("check", "piped", input=text).exit_code == 0
    assert run("check", "piped", input=text.replace("listBeds", "listRows")).exit_code == 3


def test_force_makes_a_server_again_of_which_nothing_changed():
    settings = Path("server/mcpgen.toml")
    settings.write_text(f'{settings.read_text()}\n[tools.nobody]\nname = "somebody"\n')
    assert run("update", "server").exit_code == 0
    assert "nobody" not in run("update", "server").stderr
    assert "there is no tool `nobody`" in run("update", "--force", "server").stderr


def test_a_checkout_with_other_line_ends_is_up_to_date():
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
def test_another_run_that_was_faster_is_not_written_over(there, monkeypatch):
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
    assert f"the lock of {folder} changed since this run began; nothing was changed" in done.stderr
    assert run("check", folder).exit_code == 0
    assert "other.json" in Path(folder, "mcpgen.toml").read_text()


@pytest.mark.usefixtures("usual_depth")
@table(
    "command, nested",
    ("update", "1" + " + 1" * 500),
    *(("check", code) for code in ("a" + ".b()" * 60_000, "-" * 60_000 + "1")),
)
def test_code_that_is_nested_too_deeply_is_told(command, nested):
    with Path(HANDLERS).open("a") as file:
        file.write(f"\nx = {nested}\n")
    before = Path(HANDLERS).read_bytes()
    write(a="string")
    done = run(command, "server")
    assert done.exit_code == 1
    assert f"{HANDLERS.removeprefix('server/')}" in done.stderr
    assert "cannot be read: its code is nested too deeply" in done.stderr
    assert Path(HANDLERS).read_bytes() == before
