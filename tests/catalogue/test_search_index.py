"""The index of the search surface, which surface a server gets, and the words that tools have."""

import json
from pathlib import Path
from typing import Any

import pytest
import searchable
from command_line import run
from diff_documents import document
from tables import table

from mcpgen.runtime.parts.search.index import SearchIndex, pieces, stem, terms


def generate(folder: Path, *options: str, output: str = "made") -> str:
    source = searchable.written(folder)
    done = run("from-openapi", str(source), "-o", str(folder / output), *options)
    assert done.exit_code == 0, done.output
    return done.output


def index(folder: Path) -> SearchIndex:
    (path,) = folder.glob("*/search.json")
    return SearchIndex(path.read_bytes())


def first(found: SearchIndex, query: str) -> str:
    return found.ranked(query, lambda row: True)[0].row.name


@table(
    "text, expected",
    ("createPaymentIntent", ["create", "payment", "intent"]),
    ("HTTPServer2Go", ["http", "server", "2", "go"]),
    ("get_v1-users", ["get", "v", "1", "users"]),
    ("Größe 寵物", ["gr", "öß", "e", "寵物"]),
)
def test_identifiers_are_split(text, expected):
    assert pieces(text) == expected


@table(
    "forms",
    ("create", "creates", "created", "creating", "creation"),
    ("invoice", "invoices"),
    ("delete", "deleting", "deletion"),
    ("policy", "policies"),
    ("notify", "notification", "notifications"),
    ("run", "running"),
)
def test_forms_of_a_word_are_one(forms):
    assert len({stem(form) for form in forms}) == 1


def test_words_that_say_nothing_do_not_count():
    assert list(terms("the of all")) == []


def test_tools_are_found_by_words_methods_and_keywords(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made/mcpgen.toml").write_text('[tools.addVaccination]\nkeywords = ["jab"]\n')
    generate(tmp_path, "--surface", "search", "--force")
    found = index(tmp_path / "made")
    assert first(found, "remove pet") == "deletePet"
    assert first(found, "edit pet") == "updatePet"
    assert first(found, "listing vaccinations") == "listVaccinations"
    assert first(found, "jab") == "addVaccination"
    assert [name for name, _ in found.areas] == ["Pets", "Health", "Billing"]
    assert "jab" not in " ".join(row.summary for row in found.rows)


def test_the_index_is_the_same_each_time_and_covered_by_check(tmp_path):
    generate(tmp_path, "--surface", "search")
    generate(tmp_path, "--surface", "search", output="again")
    (one,), (other,) = (list((tmp_path / f).glob("*/search.json")) for f in ("made", "again"))
    assert one.read_bytes() == other.read_bytes()
    assert run("check", str(tmp_path / "made")).exit_code == 0
    one.write_bytes(one.read_bytes().replace(b"List invoices", b"List voices"))
    assert run("check", str(tmp_path / "made")).exit_code == 3
    attributes = (tmp_path / "made/.gitattributes").read_text()
    assert f"/{one.parent.name}/tools.json -text" in attributes


def test_the_index_has_the_places_of_the_definitions(tmp_path):
    generate(tmp_path, "--surface", "search")
    (contract,) = (tmp_path / "made").glob("*/tools.json")
    data = contract.read_bytes()
    tools = json.loads(data)["tools"]
    for row, tool in zip(index(tmp_path / "made").rows, tools, strict=True):
        assert json.loads(b"{%b}" % data[row.start : row.end]) == tool


@pytest.mark.parametrize("data", [b"", b"[]", b'{"tools": []}', b'{"tools": [[1]], "areas": []}'])
def test_what_is_no_index_is_refused(data):
    with pytest.raises(ValueError, match="this is no search index"):
        SearchIndex(data)


def many(count: int) -> dict[str, Any]:
    operations: dict[str, Any] = {f"op{n}": {} for n in range(count)}
    return document(**operations)


@pytest.mark.parametrize(("count", "surface"), [(79, "tools"), (80, "search")])
def test_the_surface_is_decided_once_by_size(tmp_path, count, surface):
    source, folder = tmp_path / "many.json", tmp_path / "made"
    source.write_text(json.dumps(many(count)))
    done = run("from-openapi", str(source), "-o", str(folder), "--runtime", "package")
    assert ("the surface `search`: 80 tools" in done.output) == (surface == "search")
    assert json.loads((folder / "mcpgen.lock").read_text())["surface"] == surface
    source.write_text(json.dumps(many(159 - count)))
    done = run("update", str(folder))
    assert done.exit_code == 0
    assert ("search`: 79 tools" in done.output) == (surface == "search")
    assert ("79 tools, which agents find by search\n" in done.output) == (surface == "search")
    assert json.loads((folder / "mcpgen.lock").read_text())["surface"] == surface
    assert bool(list(folder.glob("*/search.json"))) == (surface == "search")


def test_a_server_that_was_made_before_there_were_surfaces_lists_its_tools(tmp_path):
    source, folder = tmp_path / "many.json", tmp_path / "made"
    source.write_text(json.dumps(many(90)))
    run("from-openapi", str(source), "-o", str(folder), "--surface", "tools")
    lock = json.loads((folder / "mcpgen.lock").read_text())
    del lock["surface"]
    (folder / "mcpgen.lock").write_text(json.dumps(lock, indent=2))
    settings = folder / "mcpgen.toml"
    settings.write_text(settings.read_text().replace('surface = "tools"', ""))
    assert run("update", str(folder)).exit_code == 0
    assert not list(folder.glob("*/search.json"))


@table(
    "settings, expected",
    ('surface = "both"', "it must be one of auto, tools, search"),
    ('[search]\nprefix = "a b"', "`search.prefix` cannot be 'a b'"),
    ('[search]\nprefx = "a"', "unknown setting `prefx` of search"),
    ("[tools.listPets]\npinned = 1", "must be true or false"),
    ('[tools.listPets]\nkeywords = [""]', "cannot be empty"),
    ("[tools.nope]\npinned = true", "there is no tool `nope`"),
)
def test_settings_that_cannot_be_used_are_told(tmp_path, settings, expected):
    (tmp_path / "made").mkdir()
    (tmp_path / "made/mcpgen.toml").write_text(f"strict = true\n{settings}\n")
    source = searchable.written(tmp_path)
    done = run("from-openapi", str(source), "-o", str(tmp_path / "made"), "--force")
    assert done.exit_code == 1
    assert expected in done.output


def test_a_tool_that_has_the_name_of_one_of_the_surface_is_told(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made/mcpgen.toml").write_text('[tools.listPets]\nname = "find_tools"\n')
    said = generate(tmp_path, "--surface", "search", "--force")
    assert "the search surface has a tool named `find_tools` too" in said


def test_a_change_of_surface_is_breaking(tmp_path):
    generate(tmp_path, "--surface", "tools")
    generate(tmp_path, "--surface", "search", output="again")
    done = run("diff", str(tmp_path / "made"), str(tmp_path / "again"), "--fail-on", "breaking")
    assert done.exit_code == 3
    assert "surface-changed: tools -> search" in done.output
