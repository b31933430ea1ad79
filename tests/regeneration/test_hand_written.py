"""Tools of a tool file whose handlers people wrote: they stay served under the names of today."""

import json
from pathlib import Path
from typing import Any

import pytest

from .garden import Make, run
from .garden import updated as update

SOURCE, TOML = Path("tools.json"), Path("server/mcpgen.toml")
HANDLERS = Path("server/shed_mcp/handlers/tools.py")
WRITTEN = '    return "done"'

pytestmark = pytest.mark.usefixtures("shed")


def tool(name: str, argument: str = "", description: str = "") -> dict[str, Any]:
    properties = {argument: {"type": "string"}} if argument else {}
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": description or name, "inputSchema": schema}


def write(*tools: dict[str, Any]) -> None:
    SOURCE.write_text(json.dumps({"server": {"name": "shed"}, "tools": tools}))


@pytest.fixture
def shed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    """A server of two tools; somebody wrote the handler of `dig`."""
    monkeypatch.chdir(tmp_path)
    write(tool("dig", "bed-name"), tool("rake", "leaves"))
    made_once("from-schema", "tools.json")
    start = HANDLERS.read_text().index("    raise ToolError")
    end = HANDLERS.read_text().index("@tool", start)
    text = HANDLERS.read_text()
    HANDLERS.write_text(f"{text[:start]}{WRITTEN}\n\n\n{text[end:]}")


def handler(name: str) -> str:
    """The text of a tool's handler, which is there once."""
    _, text = HANDLERS.read_text().split(f'@tool("{name}"')
    return text.split("@tool")[0]


def test_a_handler_goes_along_when_its_tool_gets_another_name() -> None:
    write(tool("spade", "bed-name", "dig"), tool("rake", "leaves"))
    assert "conflict" not in update()
    assert WRITTEN in handler("spade")
    assert "async def spade(ctx: Context, *, bed_name" in HANDLERS.read_text()
    assert "dig(" not in HANDLERS.read_text()


@pytest.mark.parametrize(
    "tools",
    [
        pytest.param((tool("spade", "bed-name", "another"),), id="it says something else"),
        pytest.param(
            (tool("spade", "bed-name", "dig"), tool("fork", "bed-name", "dig")), id="two do"
        ),
        pytest.param((tool("rake", "bed-name", "dig"),), id="it was there before"),
    ],
)
def test_no_handler_goes_to_a_tool_that_may_be_another(tools: tuple[dict[str, Any], ...]) -> None:
    write(*tools)
    assert "tool dig is not generated any more; it was edited and stays" in update()
    assert WRITTEN in handler("dig")
    assert WRITTEN not in handler(tools[0]["name"])


def test_an_argument_called_as_the_context_stays_beside_it() -> None:
    write(tool("dig", "ctx"), tool("rake"))
    update()
    HANDLERS.write_text(HANDLERS.read_text().replace(WRITTEN, "    return ctx_"))
    write(tool("dig", "ctx", "Turns a bed."), tool("rake"))
    assert "note" not in update()
    assert "async def dig(ctx: Context, *, ctx_: str" in HANDLERS.read_text()


def test_a_tool_that_keeps_its_name_keeps_its_handler() -> None:
    write(tool("dig", "bed-name", "anew"), tool("spade", "bed-name", "dig"))
    update()
    assert WRITTEN in handler("dig")
    assert WRITTEN not in handler("spade")


def test_an_argument_that_the_environment_gives_imports_nothing_into_a_stub() -> None:
    table = '[tools."*".arguments]\nbed-name.env = "BED"\nleaves.env = "LEAVES"\n'
    TOML.write_text(f"{TOML.read_text()}\n{table}")
    update()
    assert "async def rake(ctx: Context)" in HANDLERS.read_text()
    assert "from_env" not in HANDLERS.read_text()


def test_what_a_request_serves_now_has_its_types_imported_beside_what_is_python() -> None:
    write({**tool("dig", "bed-name"), "http": "POST /beds"}, tool("rake", "leaves"))
    assert "POST" in update(code=1)  # the body is a person's: the request is shown as a conflict
    assert WRITTEN in handler("dig")
    assert ") -> Response[Any]:" in handler("dig")
    assert "raise ToolError(" in handler("rake")
    imported = HANDLERS.read_text().split("from .._runtime import ")[1].split("\n")[0]
    assert {"Response", "ToolError"} < set(imported.split(", "))


@pytest.mark.parametrize("what", ["function", "package"])
def test_a_stub_with_another_text_is_nothing_new_to_what_was_written(what: str) -> None:
    if what == "function":
        HANDLERS.write_text(HANDLERS.read_text().replace("def dig(", "def delve("))
    else:
        text = TOML.read_text()
        TOML.write_text(text.replace("# Such as:", 'package = "hut_mcp"'))
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    (there,) = Path("server").glob("*_mcp/handlers/tools.py")
    assert WRITTEN in there.read_text()


def test_a_file_that_a_resource_reads_and_nobody_put_there_is_told() -> None:
    files = [{"uri": f"a://{n}", "name": n, "file": f"{n}.md"} for n in ("rules", "tides")]
    each = {"uriTemplate": "a://pages/{n}", "name": "page", "file": "pages/{n}.md"}
    offers = {"resources": files, "resourceTemplates": [each]}
    SOURCE.write_text(
        json.dumps({"server": {"name": "shed"}, "tools": [tool("dig", "bed")], **offers})
    )
    here = Path("server/shed_mcp/files")
    here.mkdir()
    (here / "rules.md").write_text("None.")
    done = run("update", "server")
    notes = [line for line in done.output.splitlines() if "note:" in line and "files/" in line]
    told = "is missing, but a resource or prompt reads it: add it"
    assert notes == [f"  note: shed_mcp/files/tides.md: {told}"]


def test_a_handler_goes_along_when_the_settings_give_its_tool_another_name() -> None:
    """Whatever else they say of it: which tool of the file it is stays known."""
    table = 'name = "spade"\ndescription = "Turns a bed."\narguments.bed-name.hidden = true\n'
    TOML.write_text(f"{TOML.read_text()}\n[tools.dig]\n{table}")
    assert "conflict" not in update()
    assert WRITTEN in handler("spade")
    TOML.write_text(TOML.read_text().replace("spade", "fork").replace("a bed", "the beds"))
    assert "conflict" not in update()
    assert WRITTEN in handler("fork")
