"""Arguments of a person's own: of a handler that no tool gives, and of the settings."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run
from tables import table

from .beds import HANDLERS, document, edit

SETTINGS = Path("server/mcpgen.toml")
SIGNATURE = "a: int | Unset = UNSET"
SAID = "no agent can give `only_titles`"


@pytest.fixture(params=["first", "further"])
def tool(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a tool of the server in the working folder: of its only source, or its second."""
    monkeypatch.chdir(tmp_path)
    is_first = request.param == "first"
    other = {**document(c="string"), "info": {"title": "Orchard", "version": "1"}}
    other["paths"] = {"/trees": other["paths"].pop("/beds")}
    Path("api.json").write_text(json.dumps(document(a="integer") if is_first else other))
    Path("second.json").write_text(json.dumps(other if is_first else document(a="integer")))
    options = ("--name", "garden", "--runtime", "package", "-o", "server")
    SETTINGS.parent.mkdir()
    second = 'source = "../second.json"\nname = "second"\nprefix = "second_"'
    SETTINGS.write_text(f"[[with]]\n{second}\n")
    assert run("from-openapi", "api.json", *options).exit_code == 0
    return "listBeds" if is_first else "second_listBeds"


def handlers() -> str:
    """The module of the handler of beds."""
    (path,) = (p for p in Path("server").glob("*/handlers/*.py") if '"/beds"' in p.read_text())
    return str(path)


def checks() -> Iterator[tuple[int, str]]:
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        yield done.exit_code, done.stdout


def line_in(told: str) -> str:
    """The line for mcpgen.toml that a message has."""
    return next(part for part in told.split("`") if part.startswith("tools."))


def test_an_argument_that_no_tool_gives_is_broken_until_the_settings_have_it(tool):
    path = handlers()
    edit(SIGNATURE, f"{SIGNATURE}, only_titles: bool | Unset = UNSET", path)
    edit("    return await", "    if only_titles is True:\n        a = 1\n    return await", path)
    for code, told in checks():
        assert (code, told.count(SAID)) == (3, 1)
    assert SAID in run("update", "server").output
    for code, told in checks():
        assert (code, told.count(SAID)) == (3, 1)
    line = line_in(told).replace('"string"', '"boolean"')
    assert line == f'tools."{tool}".arguments."only_titles" = {{ new = true, type = "boolean" }}'
    before = SETTINGS.read_text()
    SETTINGS.write_text(f"{line}\n{before}")
    shutil.copytree("server", "before")
    told = run("update", "server").output
    assert f"harmless: {tool}: argument-added `only_titles`" in told
    compared = run("diff", "before", "server", "--fail-on", "risky")
    assert compared.exit_code == 0
    assert f"{tool}: argument-added `only_titles`" in compared.stdout.partition("harmless:")[2]
    assert [code for code, _ in checks()] == [0, 0]
    assert Path(path).read_text().count("only_titles: bool") == 1


def test_an_own_argument_comes_into_an_edited_handler_and_leaves_it(tool):
    path = handlers()
    edit("    return await", "    print()\n    return await", path)
    before = SETTINGS.read_text()
    rows = ('type = "boolean"', 'description = "No texts."', "default = false")
    table = f'\n[tools."{tool}".arguments.only_titles]\nnew = true\n' + "\n".join(rows)
    SETTINGS.write_text(before + table + "\n")
    assert run("update", "server").exit_code == 0
    text = Path(path).read_text()
    assert "    print()\n" in text
    assert "only_titles: bool = False" in text
    (package,) = Path("server").glob("*/tools.json")
    listed = {t["name"]: t for t in json.loads(package.read_text())["tools"]}
    own = listed[tool]["inputSchema"]["properties"]["only_titles"]
    assert own == {"type": "boolean", "description": "No texts.", "default": False}
    cases = json.loads(Path("server/tests/cases.json").read_text() or "{}").get("cases", [])
    assert "only_titles" not in json.dumps([each.get("request") for each in cases])
    for code, told in checks():  # the body does not use it yet
        assert (code, told.count("its edited body does not use `only_titles`")) == (0, 1)
    shutil.copytree("server", "before")
    changed = table.replace("boolean", "string").replace("= false", '= "all"')
    SETTINGS.write_text(f"{before}{changed}\n")
    assert [code for code, _ in checks()] == [3, 3]
    assert run("update", "server").exit_code == 0
    assert 'only_titles: str = "all"' in Path(path).read_text()
    compared = run("diff", "before", "server", "--fail-on", "breaking")
    assert (compared.exit_code, "boolean -> string" in compared.stdout) == (3, True)
    SETTINGS.write_text(before)
    assert run("update", "server").exit_code == 0
    text = Path(path).read_text()
    assert ("only_titles" in text, "    print()\n" in text) == (False, True)


@table(
    "table, said",
    ("a = { new = true, type = 'string' }", "has an argument `a` already"),
    ("b = { new = true }", "the new argument `b` of `listBeds` has no type"),
    ("b = { new = true, type = 'text' }", "must be one of string, integer"),
    ("b = { new = true, schema = { type = 'text' } }", "is not a valid JSON Schema"),
    ("b = { new = true, schema = { '$ref' = '#/x' } }", "must not contain references"),
    ("b = { new = true, type = 'string', hidden = true }", "exclude each other"),
    ("b = { type = 'string', schema = {} }", "exclude each other"),
)
@pytest.mark.usefixtures("beds")
def test_a_table_of_an_own_argument_that_is_wrong(table, said):
    SETTINGS.write_text(f"{SETTINGS.read_text()}\n[tools.listBeds.arguments]\n{table}\n")
    done = run("update", "server")
    assert done.exit_code == 1
    assert said in done.output
    assert "mcpgen.toml:" in done.output
    assert "only_titles" not in Path(HANDLERS).read_text()


@pytest.mark.usefixtures("beds")
def test_an_own_argument_of_every_tool_is_refused():
    table = '\n[tools."*".arguments]\nb = { new = true, type = "string" }\n'
    SETTINGS.write_text(SETTINGS.read_text() + table)
    done = run("update", "server")
    assert (done.exit_code, "cannot be added to every tool: `b`" in done.output) == (1, True)
