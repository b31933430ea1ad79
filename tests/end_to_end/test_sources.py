"""Several sources in one server: what it is made of, their names, and what is made again."""

import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from command_line import run
from tables import table

from mcpgen import lock
from mcpgen import settings as generation
from mcpgen.diagnostics import Diagnostics
from mcpgen.readers import all_sources
from mcpgen.settings.settings import Source

from .three_sources import TOOL_FILE, document, item, write

pytestmark = pytest.mark.usefixtures("sources")


def test_check_and_update_see_every_source():
    asked = ("from-openapi", "garden.json", "--with", "tally.json", "-o", "server")
    assert run(*asked).exit_code == 0
    known = lock.read(Path("server"))
    assert set(known.sources) == {"garden.json", "tally.json"}
    assert run("check", "server").exit_code == 0
    write("tally.json", {**TOOL_FILE, "tools": TOOL_FILE["tools"][:1]})
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert run("check", "server", "--full").exit_code == 0
    listed = json.loads(Path("server/garden_mcp/tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == ["createItem", "get_items", "count"]
    assert "count" in run("diff", "garden.json", "server").stdout
    assert "count" in run("inspect", "server").stdout


def test_files_are_known_by_the_same_paths_wherever_a_command_runs(tmp_path, monkeypatch):
    """Beside a first source that is no file: `check` found another lock in another folder."""
    garden = document("Garden", {"$ref": "parts/item.json"}, name="X-Garden")
    write("garden.json", garden)
    (tmp_path / "parts").mkdir()
    write("parts/item.json", item("colour", "string"))
    (tmp_path / "elsewhere").mkdir()
    found = []
    for folder in (tmp_path, tmp_path / "elsewhere"):
        monkeypatch.chdir(folder)
        stdin = io.BytesIO((tmp_path / "garden.json").read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
        others = [os.path.relpath(tmp_path / name) for name in ("shop.json", "tally.json")]
        asked = generation.Settings(
            source="-", with_=tuple(map(Source, others)), reference_root=os.path.relpath(tmp_path)
        )
        found.append(all_sources.load(asked, Diagnostics(), lambda _: None).hashes)
    assert found[0] == found[1]
    assert set(found[0]) == {"-", "- parts/item.json", "shop.json", "tally.json"}


def test_a_source_of_python_handlers_alone_has_no_api():
    tool = {**TOOL_FILE["tools"][1], "task": "optional"}
    write("own.json", {"server": {"name": "own"}, "tools": [tool]})
    asked = ("from-openapi", "garden.json", "--with", "own.json", "-o", "server")
    assert run(*asked).exit_code == 0
    assert "`OWN_" not in Path("server/DEPLOY.md").read_text()
    assert "APIS" not in Path("server/garden_mcp/api.py").read_text()
    assert run(*asked, "--with", "tally.json").exit_code == 0
    assert "`OWN_" not in Path("server/DEPLOY.md").read_text()
    assert '"own"' not in Path("server/garden_mcp/api.py").read_text()
    assert "GARDEN_TASK_TTL" in Path("server/DEPLOY.md").read_text()


def test_a_file_without_tools_is_a_server_of_its_further_sources():
    write("gateway.json", {"server": {"name": "gateway"}, "tools": []})
    done = run("from-schema", "gateway.json", "-o", "server")
    assert done.exit_code == 1
    assert "error[no-tools]: there is no tool\n  --> gateway.json:1:1" in done.output
    assert not Path("server").exists()
    asked = ("from-schema", "gateway.json", "--with", "garden.json", "--with", "shop.json")
    assert run(*asked, "-o", "server").exit_code == 0
    listed = json.loads(Path("server/gateway_mcp/tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed][:2] == ["createItem", "get_items"]
    assert run("check", "server", "--full").exit_code == 0


def test_a_table_says_what_a_source_is_called_and_which_tools_are_wanted():
    asked = ("from-schema", "tally.json", "--with", "shop.json", "-o", "server")
    assert run(*asked).exit_code == 0
    settings = Path("server/mcpgen.toml")
    table = '[[with]]\nsource = "../shop.json"\n'
    assert table in settings.read_text()
    more = table + 'name = "stall"\nprefix = "stall."\nread_only = true\n'
    settings.write_text(settings.read_text().replace(table, more))
    assert run("update", "server").exit_code == 0
    assert run(*asked).exit_code == 0, "the flag names the source, the table stays"
    assert "STALL_KEY" in Path("server/.env.example").read_text()
    listed = json.loads(Path("server/tally_mcp/tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == ["count", "add", "stall.get_items"]
    assert run(*asked, "--with", "garden.json").exit_code == 0
    assert 'source = "../garden.json"' in settings.read_text()


def test_a_source_keeps_its_name_when_its_title_changes():
    """Its variables and `ctx.apis` stay what they were, as the first source's do."""
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "--with", "tally.json")
    assert run(*asked, "-o", "server").exit_code == 0
    write("garden.json", document("Beds", item("colour", "string"), name="X-Garden"))
    stall = document("Stall", item("price", "integer"), name="X-Shop")
    stall["paths"] = {"/v2/items": stall["paths"]["/items"]}
    write("shop.json", stall)
    assert run("update", "server").exit_code == 0
    api = Path("server/garden_mcp/api.py")
    assert '"shop": Api(\n        env_prefix="SHOP"' in api.read_text()
    assert Path("server/garden_mcp/handlers/shop_items.py").exists()
    stall["paths"] = {"/goods": stall["paths"]["/v2/items"]}
    write("shop.json", stall)
    assert run("update", "server").exit_code == 0
    assert '"stall": Api(' in api.read_text(), "this is another API"


def test_sources_of_one_title_keep_their_names_when_it_changes():
    """No API is sent what was meant for another."""

    def sources(one, other):
        for name, title in (("shop", one), ("tally", other)):
            stall = document(title, item("price", "integer"), name="X-Stall")
            write(f"{name}.json", {**stall, "paths": {f"/{name}": stall["paths"]["/items"]}})

    sources("Stall", "Stall")
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "--with", "tally.json")
    assert run(*asked, "-o", "server").exit_code == 0
    operations = json.loads(Path("server/mcpgen.lock").read_text())["tools"].keys()
    assert {"stall GET /shop", "stall2 GET /tally"} <= operations
    for titles in (("Users", "Stall"), ("Stall", "Users"), ("Users", "Users")):
        sources(*titles)
        folder = Path("-".join(titles))
        shutil.copytree("server", folder)
        assert run("update", str(folder)).exit_code == 0
        assert json.loads((folder / "mcpgen.lock").read_text())["tools"].keys() == operations


def test_a_tool_keeps_its_name_when_another_source_comes_to_use_it():
    """The newcomer is told apart, whichever source it is of."""
    paths = document("Garden", item("a", "string"), name="X")
    own = paths["paths"].pop("/items")
    paths["paths"]["/beds"] = {"get": own["get"]}
    write("garden.json", paths)
    assert run("from-openapi", "garden.json", "--with", "shop.json", "-o", "server").exit_code == 0
    paths["paths"]["/items"] = own
    write("garden.json", paths)
    assert run("update", "server").exit_code == 0
    tools = json.loads(Path("server/mcpgen.lock").read_text())["tools"]
    assert tools["shop POST /items"] == "createItem"
    assert tools["POST /items"] == "garden_createItem"


def test_a_note_on_one_of_several_sources_names_its_document():
    whole = json.loads(Path("shop.json").read_text())
    del whole["servers"]
    write("shop.json", whole)
    done = run("from-openapi", "garden.json", "--with", "shop.json", "-o", "server")
    assert done.exit_code == 0
    told = "note[server]: the document does not say at which host the API is\n  --> shop.json:1:1"
    assert told in done.output
    line = 'Write `base_url = "https://api.example.com"` into the table `[[with]]` of this source'
    assert line in done.output


def test_every_source_that_is_broken_is_named_and_nothing_is_written():
    write("garden.json", {"openapi": "3.1.0", "info": {"title": "Garden", "version": "1"}})
    write("tally.json", {"tools": [{"name": "count", "inputSchema": {"type": "string"}}]})
    asked = ("--with", "shop.json", "--with", "tally.json", "-o", "server")
    done = run("from-openapi", "garden.json", *asked)
    assert done.exit_code == 1
    assert "garden.json:1:1" in done.output
    assert "tally.json:6:" in done.output
    assert not Path("server").exists()


@table(
    "table, said",
    ('prefix = "a"', "a `[[with]]` has no `source`"),
    ('source = "shop.json"\nprefx = "a"', "Did you mean `prefix`?"),
    ('source = "shop.json"\nprefix = "a b"', "`prefix` of `[[with]]` cannot be 'a b'"),
    ('source = "shop.json"\nmethods = "GET"', "`methods` of `[[with]]` must be a list"),
    ('source = "shop.json"\n[with.auth]\nsource = "me"', "`auth.source` of `[[with]]` is"),
    (
        'source = "../shop.json"\n[with.auth]\nsource = "caller"\nheaders = {lock = "X-Key"}',
        "there is no security scheme `lock`",
    ),
    ('source = "shop.json"\n[[with]]\nsource = "./shop.json"', "names ./shop.json twice"),
    (
        'source = "../shop.json"\nname = "a"\n[[with]]\nsource = "../tally.json"\nname = "a"',
        "two `[[with]]` have the name `a`",
    ),
    (
        'source = "shop.json"\nname = "A-b"\n[[with]]\nsource = "shop.json"\nname = "a_b"',
        "two `[[with]]` have the name `a_b`",
    ),
)
def test_a_table_that_is_wrong(table, said):
    Path("server").mkdir()
    Path("server/mcpgen.toml").write_text(f'source = "../garden.json"\n[[with]]\n{table}\n')
    done = run("update", "server")
    assert done.exit_code == 1
    assert said in done.output


def test_one_document_for_two_environments():
    tables = [
        f'[[with]]\nsource = "../shop.json"\nname = "{name}"\nprefix = "{name}_"\n'
        for name in ("live", "staging")
    ]
    Path("server").mkdir()
    Path("server/mcpgen.toml").write_text('source = "../garden.json"\n' + "".join(tables))
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    tools = json.loads(Path("server/garden_mcp/tools.json").read_text())["tools"]
    assert {"live_createItem", "staging_createItem"} < {tool["name"] for tool in tools}
    api = Path("server/garden_mcp/api.py").read_text()
    assert all(f'"{name}_KEY"' in api for name in ("LIVE", "STAGING"))
    assert run("check", "server").exit_code == 0


def test_variables_of_two_apis_never_meet():
    """`A` with a scheme `b_key` and `A_B` with `key` would both read `A_B_KEY`."""
    first = document("Garden", item("a", "string"), name="X")
    schemes = first["components"]["securitySchemes"]
    schemes["shop_key"] = schemes.pop("key")
    first["security"] = [{"shop_key": []}]
    write("garden.json", first)
    write("shop.json", document("Garden Shop", item("b", "string"), name="Y"))
    assert run("from-openapi", "garden.json", "--with", "shop.json", "-o", "server").exit_code == 0
    api = Path("server/garden_mcp/api.py").read_text()
    assert "GARDEN_SHOP_KEY" in api
    assert "GARDENSHOP_KEY" in api


def test_an_edited_handler_of_a_further_source_follows_its_document():
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "-o", "server")
    assert run(*asked).exit_code == 0
    handlers = Path("server/garden_mcp/handlers/shop_items.py")
    call = '    return await ctx.apis["shop"].send("POST"'
    assert call in handlers.read_text()
    note = '    await ctx.log("info", "sold")\n'
    handlers.write_text(handlers.read_text().replace(call, note + call))
    changed = document("Shop", item("price", "integer"), name="X-Shop")
    parameter = {"name": "till", "in": "query", "schema": {"type": "string"}}
    changed["paths"]["/items"]["post"]["parameters"] = [parameter]
    write("shop.json", changed)
    assert run("update", "server").exit_code == 0
    text = handlers.read_text()
    assert note in text
    assert 'query={"till": till}' in text


def test_prompts_are_told_apart_and_resources_keep_their_uris():
    others = [{"name": "audit", "text": "Ask a friend."}, {"name": "close", "text": "Good night."}]
    more = {"server": {"name": "till", "listChanged": True}, "prompts": others}
    same = {"uri": "tally://about", "name": "other", "text": "Not this."}
    tool = {"name": "ring", "description": "Ring.", "inputSchema": {"type": "object"}}
    write("till.json", {**more, "tools": [tool], "resources": [same]})
    asked = ("from-schema", "tally.json", "--with", "till.json", "-o", "server")
    done = run(*asked)
    assert done.exit_code == 0
    assert "two sources have `tally://about`; that of `till` is left out" in done.output
    assert "two sources have a prompt `audit`; that of `till` is now `till_audit`" in done.output
    package = Path("server/tally_mcp")

    def prompts():
        found = json.loads((package / "prompts.json").read_text())
        assert list(found["served"]) == [entry["name"] for entry in found["prompts"]]
        return list(found["served"])

    assert prompts() == ["audit", "till_audit", "close"]
    assert "Not this." not in (package / "resources.json").read_text()
    assert (package / "_runtime/parts/changes").exists(), "any source may have tools that change"
    settings = Path("server/mcpgen.toml")
    table = 'source = "../till.json"\n'
    settings.write_text(settings.read_text().replace(table, table + 'prefix = "at_"\n'))
    assert run("update", "server").exit_code == 0
    assert prompts() == ["audit", "at_audit", "at_close"]
    served = json.loads((package / "prompts.json").read_text())["served"]
    assert served["at_audit"] == {"text": "Ask a friend."}
