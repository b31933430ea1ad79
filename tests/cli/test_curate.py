"""`mcpgen curate`: an edited list of tools becomes the server's settings."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from command_line import run
from tables import table

from mcpgen.curation import checklist
from mcpgen.curation.checklist import Item
from mcpgen.diagnostics import GenerationError

API = """openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get: {operationId: listPets, summary: Pets of the shop, responses: {"200": {description: ok}}}
    post: {operationId: addPet, summary: A new pet, responses: {"200": {description: ok}}}
  /owners:
    get: {operationId: listOwners, summary: Owners, responses: {"200": {description: ok}}}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server in the folder `s`, beside its document."""
    folder = tmp_path_factory.mktemp("pets")
    (folder / "api.yaml").write_text(API)
    given = (str(folder / "api.yaml"), "-o", str(folder / "s"), "--runtime", "package")
    assert run("from-openapi", *given).exit_code == 0
    return folder


@pytest.fixture
def server(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in the folder above which commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "s"


def edit(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> None:
    monkeypatch.setenv("EDITOR", " ".join(["sed -i", *(f"-e '{each}'" for each in scripts)]))


def names(server: Path) -> list[str]:
    [tools] = server.glob("*/tools.json")
    return [tool["name"] for tool in json.loads(tools.read_text())["tools"]]


def test_tools_are_left_out_renamed_and_taken_back(server, monkeypatch):
    edit(monkeypatch, "s/^.x. addPet/[ ] addPet/", "s/listPets/find_pets/")
    done = run("curate", "s")
    assert done.exit_code == 0
    assert '+name = "find_pets"' in done.stdout
    assert "+enabled = false" in done.stdout
    assert run("update", "s").exit_code == 0
    assert sorted(names(server)) == ["find_pets", "listOwners"]
    edit(monkeypatch, "s/^. . addPet/[x] addPet/")
    assert run("curate", "s").exit_code == 0
    assert run("update", "s").exit_code == 0
    assert sorted(names(server)) == ["addPet", "find_pets", "listOwners"]
    assert run("check", "s").exit_code == 0


@pytest.mark.parametrize("script", ["", "d", "s/^#.*//", "/listPets/d"])
def test_what_is_not_said_changes_nothing(script, server, monkeypatch):
    before = (server / "mcpgen.toml").read_bytes()
    edit(monkeypatch, script)
    done = run("curate", "s")
    assert (done.exit_code, done.stdout) == (0, "s: nothing changed\n")
    assert (server / "mcpgen.toml").read_bytes() == before
    assert not list(server.parent.glob("*.tools"))


@table(
    "script, said",
    ("s/listPets.*/lisPets/", "Did you mean `listPets`?"),
    ("s/^.x. listPets/listPets/", "this line does not name a tool"),
    ("s/listPets/addPet/", "there are two lines for `addPet`"),
    ("s/listPets/a*b/", "`a*b` is not a valid name of a tool"),
    ("s/^.x./[ ]/", "no tool is left"),
)
def test_a_list_that_is_not_clear_writes_nothing_and_is_kept(script, said, server, monkeypatch):
    before = (server / "mcpgen.toml").read_bytes()
    edit(monkeypatch, script)
    done = run("curate", "s")
    assert done.exit_code == 1
    assert said in done.stderr
    [kept] = server.parent.glob("*.tools")
    assert f"--from {kept}" in done.stdout
    assert (server / "mcpgen.toml").read_bytes() == before
    kept.write_text(f"[ ] addPet\n# {kept}\n")
    assert run("curate", "s", "--from", str(kept)).exit_code == 0
    assert b'[tools."addPet"]\nenabled = false' in (server / "mcpgen.toml").read_bytes()


@pytest.mark.parametrize("editor", ["", "no-such-editor-here", "false", "'"])
def test_without_an_editor_nothing_is_written(editor, server, monkeypatch):
    monkeypatch.setenv("EDITOR", editor)
    done = run("curate", "s")
    assert done.exit_code == 1
    assert "Set EDITOR" in done.stderr
    assert not list(server.parent.glob("*.tools"))


def test_a_folder_without_a_server_is_told(server):
    done = run("curate", str(server.parent))
    assert done.exit_code == 1
    assert "holds no server of mcpgen" in done.stderr


@table(
    "table",
    '[tools.addPet]  # remark\ntitle = "Add"\n',
    "[tools.'addPet']\n# enabled = false\n[tools.listPets]\n",
    '[ tools . "addPet" ]\nenabled = true # yes\n',
    '[tools.addPet]\ntitle = "Add"\n[search]\n[tools.listPets]\n',
)
def test_a_table_that_is_there_is_changed(table, server):
    toml = server / "mcpgen.toml"
    toml.write_text(f"{toml.read_text()}\n{table}")
    (server.parent / "list").write_text("[ ] addPet\n")
    assert run("curate", "s", "--from", "list").exit_code == 0
    assert toml.read_text().count("addPet") == 1
    assert run("update", "s").exit_code == 0
    assert sorted(names(server)) == ["listOwners", "listPets"]


def test_two_tools_renamed_to_one_name_are_refused():
    items = [Item(name, True, "a", "reads", 1, name) for name in ("a", "b")]
    given = checklist.text(items).replace("[x] a ", "[x] c ").replace("[x] b ", "[x] c ")
    with pytest.raises(GenerationError) as caught:
        checklist.read(given, items, "list")
    assert "two tools are called `c`" in str(caught.value)


def test_the_list_is_by_area_with_totals():
    items = [
        Item("a", True, "one", "reads", 1200, "First."),
        Item("bb", False, "two", "destroys", 3, ""),
        Item("c", True, "one", "writes", 2, "Third."),
    ]
    lines = checklist.text(items).splitlines()
    assert lines[0] == "# 2 of 3 tools, about 1,202 tokens"
    assert lines[4:] == [
        "# one: 2, about 1,202 tokens",
        "[x] a   reads  1,200  First.",
        "[x] c   writes  2  Third.",
        "",
        "# two: 1, about 3 tokens",
        "[ ] bb  destroys  3",
    ]
    again = checklist.read(checklist.text(items), items, "")
    assert [choice.enabled for choice in again] == [True, True, False]


def listed(server: Path, monkeypatch: pytest.MonkeyPatch, *flags: str) -> str:
    """The list as an editor gets it."""
    seen = server.parent / "seen"
    seen.mkdir(exist_ok=True)
    monkeypatch.setenv("EDITOR", f"cp -t {seen}")
    assert run("curate", "s", *flags).exit_code == 0
    (draft,) = seen.iterdir()
    text = draft.read_text()
    draft.unlink()
    return text


def curated(server: Path, text: str) -> str:
    """What the command says to an edited list."""
    edited = server.parent / "edited.tools"
    edited.write_text(text)
    done = run("curate", "s", "--from", str(edited))
    assert done.exit_code == ("error" in done.output), done.output
    return done.output


def test_titles_and_descriptions_are_edited(server, monkeypatch):
    text = listed(server, monkeypatch, "--texts")
    assert "title" not in listed(server, monkeypatch)
    changed = text.replace('title = "A new pet"', r'title = "New \"pet\""', 1)
    head, name, rest = changed.partition("listOwners")
    changed = head + name + rest.replace('description = "Owners', r'description = "All\nowners', 1)
    assert "nothing changed" in curated(server, text)
    curated(server, changed)
    assert run("update", "s").exit_code == 0
    (file,) = server.glob("*/tools.json")
    tools = {tool["name"]: tool for tool in json.loads(file.read_text())["tools"]}
    assert tools["addPet"]["title"] == 'New "pet"'
    assert tools["listOwners"]["description"].startswith("All\nowners")
    settings = tomllib.loads((server / "mcpgen.toml").read_text())["tools"]
    assert {name: [*table] for name, table in settings.items()} == {
        "addPet": ["title"],
        "listOwners": ["description"],
    }
    assert "this line has no text in quotes" in curated(server, text.replace('"A new pet"', "7"))
    assert "this line does not name a tool" in curated(server, f'title = "x"\n{text}')


def test_groups_are_listed_and_tables_for_several_tools_are_heeded(server, monkeypatch):
    with (server / "mcpgen.toml").open("a") as file:
        file.write('[groups."Front Desk"]\ntools = ["*Owners"]\n')
        file.write('[tools."group:front-desk"]\nenabled = false\n')
        file.write('[tools."POST /p*"]\nenabled = false\n')
    assert run("update", "s").exit_code == 0
    assert names(server) == ["listPets"]
    text = listed(server, monkeypatch)
    assert "# front-desk (Front Desk): 1, about " in text
    assert text.startswith("# 1 of 3 tools, ")
    assert {line.split()[-1] for line in text.splitlines() if line.startswith("[x]")} == {"shop"}
    curated(server, text.replace("[ ] listOwners", "[x] listOwners"))
    assert run("update", "s").exit_code == 0
    assert sorted(names(server)) == ["listOwners", "listPets"]
