"""Groups of tools: a tag's, or those of the settings, each with a slug that the lock keeps."""

import json
import re
from pathlib import Path
from typing import Any

from command_line import run
from tables import table
from written_documents import write

GROUPS = "io.modelcontextprotocol/groups"
BOTH = '[groups."Order desk"]\ntools = ["getOrder", "PUT /orders/*"]\n'


def document(*tags: str) -> dict[str, Any]:
    answer = {"responses": {"204": {"description": "Done."}}}
    paths = {
        f"/a{number}": {"get": {"operationId": f"see{chr(65 + number)}", "tags": [tag], **answer}}
        for number, tag in enumerate(tags)
    }
    place = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    orders = {"get": {"operationId": "getOrder"}, "put": {"operationId": "putOrder"}}
    for operation in orders.values():
        operation |= {"tags": ["Orders"], "parameters": [place], **answer}  # type: ignore[dict-item]
    servers = [{"url": "https://a.example"}]
    info = {"title": "Shop", "version": "1"}
    paths["/orders/{id}"] = orders
    return {"openapi": "3.1.0", "info": info, "servers": servers, "paths": paths}


def made(folder: Path, *tags: str, settings: str = "") -> dict[str, Any]:
    """The summary of a generation, with the slug of each tool and the lock's slugs."""
    source = write(folder / "api.json", document(*tags))
    if settings:
        write(folder / "server/mcpgen.toml", settings)
    done = run("from-openapi", str(source), "-o", str(folder / "server"), "--json")
    assert done.exit_code == 0, done.output
    (file,) = folder.glob("server/*/tools.json")
    tools = json.loads(file.read_bytes())["tools"]
    slugs = {tool["name"]: tool["_meta"][GROUPS] for tool in tools}
    lock = json.loads((folder / "server/mcpgen.lock").read_bytes())["groups"]
    return {**json.loads(done.stdout), "slugs": slugs, "lock": lock}


def test_a_slug_is_unique_and_stays(tmp_path):
    first = made(tmp_path, "Pet Store", "注文", "All")
    assert first["slugs"]["seeA"] == ["pet-store"]
    assert first["slugs"]["getOrder"] == first["slugs"]["putOrder"] == ["orders"]
    for (slug,) in first["slugs"].values():
        assert slug in first["lock"].values()
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug)
        assert slug != "all"
    second = made(tmp_path, "pet store", "Pet Store", "注文", "All")
    assert second["lock"].items() >= first["lock"].items()
    assert len({*second["lock"].values()}) == 5


def test_the_settings_say_what_belongs_together(tmp_path):
    about = '[groups.Pets]\ndescription = "All about pets."\n'
    found = made(tmp_path, "Pets", settings=f'surface = "search"\n{BOTH}{about}')
    assert found["slugs"] == {
        "seeA": ["pets"],
        "getOrder": ["order-desk"],
        "putOrder": ["order-desk"],
    }
    (index,) = tmp_path.glob("server/*/search.json")
    assert ["Pets", "All about pets."] in json.loads(index.read_bytes())["areas"]
    readme = (tmp_path / "server/README.md").read_text()
    assert "Groups: order-desk (2), pets (1)." in readme


@table(
    "settings, told, hint",
    (BOTH.replace("getOrder", "getOrdr"), "no tool matches `getOrdr`", "`getOrder`"),
    ('[groups.Petz]\ndescription = "x"\n', "the group `Petz` is empty", "`Pets`"),
    ('[groups.a]\nprompts = ["b"]\n', "names a prompt `b`, which does not exist", ""),
)
def test_what_a_group_names_in_vain_is_told(tmp_path, settings, told, hint):
    found = made(tmp_path, "Pets", settings=settings)
    (problem,) = [each for each in found["diagnostics"] if each["code"] == "group-unused"]
    assert told in problem["message"]
    assert hint in problem["hint"]
    assert problem["file"].endswith("mcpgen.toml")
