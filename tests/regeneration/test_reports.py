"""What `mcpgen update` and `check` tell of servers, in words, in JSON and as annotations."""

import json
import shutil
from pathlib import Path

import pytest
from command_line import run
from tables import table

from .beds import HANDLERS, document, edit, write

pytestmark = pytest.mark.usefixtures("beds")


def test_annotations_and_json_say_what_the_text_says():
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


def test_an_import_that_fails_is_annotated_where_a_person_wrote_it():
    Path("server/garden_mcp/helpers.py").write_text("from .api import AGE\n")
    said = "uses `AGE` of `garden_mcp/api.py`, which does not have it"
    told = run("check", "server", "--full", "--format", "github").stdout.splitlines()
    assert told == [f"::error file=server/garden_mcp/helpers.py,line=1,col=1::{said}"]


def test_an_error_without_a_place_names_its_server_where_there_are_several():
    shutil.copytree("server", "second")
    settings = Path("second/mcpgen.toml")
    settings.write_text(f"strict = true\n{settings.read_text()}[tools.listBedz]\ntitle = 'a'\n")
    said = "second: `strict` is set, and there are warnings"
    assert f"error: {said}\n" in run("check", "server", "second").stderr
    assert f"::error::{said}\n" in run("check", "second", "--format", "github").stdout


def test_an_error_in_a_document_names_its_server_where_there_are_several():
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


@table(
    "settings, told",
    ("max_tokens = 1\n{}", "error[max-tokens]: "),
    ("{}[tools]\n", ""),
    ("", "error[not-checked]: second has no mcpgen.toml; restore it from version control"),
)
def test_the_standing_of_a_server_is_unknown_where_it_cannot_be_made(settings, told):
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


def test_a_missing_and_a_left_over_file_are_named():
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


def test_that_only_the_lock_changes_is_said():
    Path("api.json").write_text(Path("api.json").read_text() + "\n")
    assert "  changed: mcpgen.lock\n" in run("check", "server").stdout
    assert run("update", "server").stdout.startswith("server: only the lock changed\n")
    assert run("update", "server").stdout == "server: nothing changed\n"


def test_of_many_changes_of_tools_some_are_counted():
    write(**{f"a{number}": "integer" for number in range(30)})
    lines = run("check", "server").stdout.splitlines()
    assert sum("argument-" in line for line in lines) == 20
    assert "  11 more kinds of changes of tools; see `mcpgen diff`" in lines


def test_a_document_that_moved_is_named_anew():
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


@pytest.mark.parametrize("command", ["check", "update"])
def test_what_a_file_is_called_is_shown_and_not_obeyed(command):
    odd = "garden_mcp/handlers/a\x1b[31m\n::stop-commands::x.py"
    Path("server", odd).write_text("def f( :\n")
    lock = Path("server/mcpgen.lock")
    held = json.loads(lock.read_text())
    lock.write_text(json.dumps({**held, "files": {**held["files"], odd: "0"}}))
    done = run(command, "server")
    assert done.exit_code == 1
    assert r"handlers/a\x1b[31m\n::stop-commands::x.py:1:8: does not parse" in done.stderr


def test_no_line_of_a_report_is_a_command_of_a_job():
    """Neither one of a handler that is shown for a conflict, nor one of the document."""
    edit('    """List beds: GET /beds."""', '    """Mine.\n\n    ::stop-commands::x\n    """')
    named = json.loads(json.dumps(document(a="strange")).replace("/beds", "/beds/##[add-mask]"))
    Path("api.json").write_text(json.dumps(named, indent=1))
    done = run("update", "server")
    assert "conflict: " in done.stdout
    lines = done.output.splitlines()
    assert [line for line in lines if "stop-commands" in line or "add-mask" in line]
    assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def test_what_a_folder_is_called_is_no_command_either():
    odd = "server\x1b[31m\n::stop-commands::x"
    shutil.copytree("server", odd)
    said = run("check", "server*").stdout
    assert r"server\x1b[31m\n::stop-commands::x" in said
    assert "\n::" not in said
