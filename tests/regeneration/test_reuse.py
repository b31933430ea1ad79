"""Files that an update takes over are what making them again would give."""

import json
import random
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fuzz.budget import count

from mcpgen import format as formatting
from mcpgen import generate, servers
from mcpgen.catalogue import tools_json
from mcpgen.models import worker
from mcpgen.regeneration import reuse
from mcpgen.regeneration.outcome import Policy

from .world import Document, Person

SERVER = Path("server")
PACKAGE = SERVER / "garden_mcp"


pytestmark = pytest.mark.usefixtures("large")


def made(document: Document) -> None:
    document.write(Path("api.json"))
    result = servers.generate_into(SERVER, {"source": "api.json"}, Policy(), servers.silent)
    assert not result.failed


def contents() -> dict[str, bytes]:
    files = (path for path in SERVER.rglob("*") if path.is_file())
    return {path.as_posix(): path.read_bytes() for path in files}


def an_update_is_a_generation() -> None:
    assert not servers.update(SERVER, Policy(), servers.silent).failed
    updated = contents()
    again = servers.generate_into(SERVER, {}, Policy(force=True), servers.silent)
    assert not again.failed
    assert contents() == updated


@pytest.mark.parametrize("seed", range(count(2)))
def test_an_update_gives_what_a_generation_gives(seed):
    rng = random.Random(seed)
    document = Document(rng)
    made(document)
    for _ in range(3):
        for _ in range(rng.randint(1, 2)):
            document.change()
        document.write(Path("api.json"))
        an_update_is_a_generation()


@pytest.mark.parametrize("seed", range(2))
def test_edited_files_are_not_taken_for_ours(seed):
    rng = random.Random(seed)
    document = Document(rng)
    made(document)
    person = Person(rng, SERVER, PACKAGE.name)
    told = [person.edit(), person.edit(), document.change()]
    document.write(Path("api.json"))
    assert not servers.update(SERVER, Policy(), servers.silent).failed
    again = servers.check(SERVER, servers.silent, whole=True)
    assert again.report.clean, (told, again.report)


def test_only_what_changed_is_made(monkeypatch):
    document = Document(random.Random(1))
    made(document)
    formatted: list[str] = []
    run = formatting._in_batches

    def noted(files: Mapping[str, str]) -> Generator[dict[str, str]]:
        formatted.extend(files)
        return run(files)

    monkeypatch.setattr(formatting, "_in_batches", noted)
    monkeypatch.setattr(worker, "_run", lambda schemas: ([], {}) if not schemas else None)
    operation = next(iter(document.operations.values()))
    operation["parameters"].append({"name": "late", "in": "query", "schema": {"type": "string"}})
    document.write(Path("api.json"))
    result = servers.update(SERVER, Policy(), servers.silent)
    always = {"garden_mcp/hooks.py", "models/__init__.py"}
    (handlers,) = set(formatted) - always
    assert handlers == f"garden_mcp/handlers/{operation['tags'][0]}.py"
    assert set(result.report.written) == {
        handlers, "garden_mcp/tools.json", "tests/cases.json"
    }  # fmt: skip


def test_what_is_equal_and_not_the_same_is_made_again():
    document = Document(random.Random(1))
    operation = next(iter(document.operations.values()))
    late: dict[str, Any] = {"name": "late", "in": "query"}
    late["schema"] = {"type": "integer", "default": 1}
    operation["parameters"].append(late)
    made(document)
    schemas: list[dict[str, Any]] = [
        {"default": 1, "type": "integer"},
        {"default": 1.0, "type": "integer"},
        {"default": True, "type": "integer"},
    ]
    for schema in schemas:
        late["schema"] = schema
        document.write(Path("api.json"))
        an_update_is_a_generation()


def test_another_formatter_formats_all_again(monkeypatch):
    document = Document(random.Random(1))
    made(document)
    monkeypatch.setattr(reuse, "versions", lambda: "another formatter")
    formatted: list[str] = []
    run = formatting._in_batches

    def noted(files: Mapping[str, str]) -> Generator[dict[str, str]]:
        formatted.extend(files)
        return run(files)

    monkeypatch.setattr(formatting, "_in_batches", noted)
    document.add_parameter()
    document.write(Path("api.json"))
    assert not servers.update(SERVER, Policy(), servers.silent).failed
    tags = {tag for each in document.operations.values() for tag in each["tags"]}
    assert {f"garden_mcp/handlers/{tag}.py" for tag in tags} <= set(formatted)


def test_a_handler_that_a_person_renamed_is_served_by_its_new_name():
    """Its tool and its types are as before: only a name is another one."""
    document = Document(random.Random(1))
    made(document)
    operations = list(document.operations.values())
    tag = operations[0]["tags"][0]
    (handlers,) = PACKAGE.glob(f"handlers/{tag}.py")
    text = handlers.read_text()
    called = text.partition("async def ")[2].partition("(")[0]
    handlers.write_text(text.replace(f"async def {called}(", "async def mine("))
    other = next(each for each in operations if each["tags"] != [tag])
    other["parameters"].append({"name": "late", "in": "query", "schema": {"type": "string"}})
    document.write(Path("api.json"))
    an_update_is_a_generation()
    assert f'"{tag}:mine"' in (PACKAGE / "handlers/__init__.py").read_text()


def test_edited_data_is_made_again():
    document = Document(random.Random(2))
    made(document)
    names = ("tests/cases.json", "garden_mcp/mock.json")
    for path in (SERVER / name for name in names):
        path.write_text(path.read_text().replace("1", "2", 1))
    document.change()
    document.write(Path("api.json"))
    refused = " ".join(servers.update(SERVER, Policy(), servers.silent).errors)
    assert [f"{name}: was edited" in refused for name in names] == [True, True]
    assert not servers.update(SERVER, Policy(force=True), servers.silent).failed
    assert servers.check(SERVER, servers.silent, whole=True).report.clean


def test_nothing_is_kept_outside_the_servers_folder(monkeypatch):
    for variable in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(Path("home").absolute()))
    document = Document(random.Random(7))
    made(document)
    document.add_parameter()
    document.write(Path("api.json"))
    assert not servers.update(SERVER, Policy(), servers.silent).failed
    assert {path.name for path in Path().iterdir()} == {"api.json", "server"}


def test_a_lock_keeps_the_keys_of_large_servers_only(monkeypatch):
    document = Document(random.Random(3))
    made(document)
    keys: Any = json.loads((SERVER / "mcpgen.lock").read_text())["keys"]
    assert "garden_mcp/handlers/__init__.py" in keys
    assert any(path.startswith("garden_mcp/models") for path in keys)
    assert all(path.endswith(".py") for path in keys)
    monkeypatch.setattr(generate, "MANY_TOOLS", 100)
    made(document)
    assert json.loads((SERVER / "mcpgen.lock").read_text())["keys"] == {}


def test_only_the_tools_that_differ_are_parsed():
    document = Document(random.Random(6))
    made(document)
    before = (PACKAGE / "tools.json").read_bytes()
    document.add_parameter()
    document.add_operation()
    made(document)
    after = (PACKAGE / "tools.json").read_bytes()
    old, new = tools_json.differing(before, after)
    tools = {name: json.loads(text)["tools"] for name, text in (("old", before), ("new", after))}
    assert old == [tool for tool in tools["old"] if tool not in tools["new"]]
    assert new == [tool for tool in tools["new"] if tool not in tools["old"]]
    assert len(new) >= 1
    with pytest.raises(ValueError, match="not written by mcpgen"):
        tools_json.differing(before.replace(b"\n", b""), after)
