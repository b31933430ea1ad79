"""Resources and prompts of a tool file whose functions people wrote: they stay served."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tables import table

from .garden import Make, run
from .garden import updated as update

SOURCE, PACKAGE = Path("tools.json"), Path("server/orchard_mcp")
WRITTEN = '    return "done"'
TOOL = {"name": "dig", "inputSchema": {"type": "object"}}
TREES = "orchard://trees"

pytestmark = pytest.mark.usefixtures("orchard")


def prompt(name: str, about: str = "", **more: Any) -> dict[str, Any]:
    taken = [{"name": "tree", "required": True}]
    return {"name": name, "description": about or name, "arguments": taken, **more}


def write(*prompts: dict[str, Any], resource: str = "trees", uri: str = TREES) -> None:
    server = {"server": {"name": "orchard"}, "tools": [TOOL]}
    resources = [{"uri": uri, "name": resource, "description": "All trees."}]
    SOURCE.write_text(json.dumps({**server, "resources": resources, "prompts": prompts}))


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    """A server of a resource and two prompts, whose functions somebody wrote."""
    monkeypatch.chdir(tmp_path)
    write(prompt("graft", complete={"tree": "python"}), prompt("prune"))
    made_once("from-schema", "tools.json")
    for module in ("prompts", "resources"):
        path = PACKAGE / f"{module}.py"
        path.write_text(re.sub(r"    raise ToolError\([^)]*\(\)[^)]*\)", WRITTEN, path.read_text()))


def function(module: str, mark: str) -> str:
    """The text of what has a mark, which is there once."""
    _, text = (PACKAGE / f"{module}.py").read_text().split(f"@{mark}\n")
    return text.split("\n\n\n")[0]


def test_a_function_goes_along_when_its_prompt_gets_another_name():
    write(prompt("join", "graft", complete={"tree": "python"}), prompt("prune"))
    assert "stays" not in update()
    assert "def graft(" in function("prompts", 'prompt("join")')
    assert WRITTEN in function("prompts", 'prompt("join")')
    assert WRITTEN in function("prompts", 'completes("join", "tree")')
    assert "raise" not in (PACKAGE / "prompts.py").read_text()
    write(prompt("join", "graft", complete={"tree": "python"}), prompt("prune"), prompt("graft"))
    update()
    assert WRITTEN in function("prompts", 'prompt("join")')
    assert "raise ToolError" in function("prompts", 'prompt("graft")')


def test_a_function_serves_again_when_its_prompt_was_a_text_for_a_while():
    write(prompt("join", "graft"), prompt("prune"))
    update()
    write(prompt("join", "graft", text="Graft {tree}."), prompt("prune"))
    assert "def graft is not generated any more; it was edited and stays" in update()
    write(prompt("join", "graft"), prompt("prune"))
    update()
    assert WRITTEN in function("prompts", 'prompt("join")')


@table(
    "prompts",
    pytest.param((prompt("join", "another"), prompt("prune")), id="it says something else"),
    pytest.param((prompt("join", "graft"), prompt("tie", "graft")), id="two do"),
    pytest.param((prompt("prune", "graft"),), id="it was there before"),
)
def test_no_function_goes_to_a_prompt_that_may_be_another(prompts):
    write(*prompts)
    assert "def graft is not generated any more; it was edited and stays" in update()
    assert WRITTEN in function("prompts", 'prompt("graft")')


@table("resource, uri", ("all-trees", TREES), ("trees", "orchard://all"), ("all", "orchard://a"))
def test_a_function_goes_along_when_its_resource_is_elsewhere(resource, uri):
    write(prompt("prune"), resource=resource, uri=uri)
    update()
    assert WRITTEN in function("resources", f'resource("{uri}")')
    assert "raise" not in (PACKAGE / "resources.py").read_text()


def test_a_function_that_a_person_renamed_follows_its_prompt():
    path = PACKAGE / "prompts.py"
    path.write_text(path.read_text().replace("def graft(", "def my_graft("))
    taken = [{"name": "tree", "required": True}, {"name": "season"}]
    write(prompt("join", "graft"), prompt("prune", arguments=taken))
    update()
    write(prompt("join", "graft", arguments=taken), prompt("prune", arguments=taken))
    update()
    assert "def my_graft(" in function("prompts", 'prompt("join")')
    assert "season: str | Unset = UNSET" in function("prompts", 'prompt("join")')
    assert WRITTEN in function("prompts", 'prompt("join")')
    assert "raise" not in path.read_text()


def test_a_copy_of_a_function_is_a_function_of_its_own():
    path = PACKAGE / "prompts.py"
    mine = '@prompt("graft")\n' + function("prompts", 'prompt("graft")')
    mine = mine.replace("def graft(", "def mine(")
    path.write_text(f"{path.read_text()}\n\n{mine}\n")
    taken = [{"name": "tree", "required": True}, {"name": "season"}]
    write(prompt("graft", complete={"tree": "python"}, arguments=taken), prompt("prune"))
    update()
    assert mine in path.read_text()
    assert path.read_text().count("season: str") == 1


def test_what_changes_for_those_who_use_them_is_told():
    write(prompt("graft", complete={"tree": "python"}), uri="orchard://all-trees")
    told = ["breaking: prune: prompt-removed"]
    told += [f"breaking: {TREES}: resource-uri-changed: now orchard://all-trees"]
    checked = run("check", "server").output
    assert [line.strip() for line in checked.splitlines() if "breaking" in line] == told
    server = json.loads(run("update", "server", "--json").stdout)["servers"][0]
    codes = [change["code"] for change in server["tools"]]
    assert codes == ["prompt-removed", "resource-uri-changed"]
    assert server["change"] == "breaking"
    SOURCE.write_text(json.dumps({"server": {"name": "orchard"}, "tools": [TOOL]}))
    assert "prompt-removed" in update()
    assert not (PACKAGE / "prompts.json").exists()
    write(prompt("prune"), uri="orchard://all-trees")
    assert "harmless: prune: prompt-added" in update()
