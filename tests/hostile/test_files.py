"""Where files go: what a document is called never decides it."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from mcpgen.generate import Generated
from mcpgen.operations.argument_names import NAME

from . import judge, running
from .documents import OK, openapi

NAMES = [
    "../../../evil",
    "/tmp/evil", "..", ".", "", " ", "C:\\evil", "\\\\host\\share", "a/b", "evil\x00",
    "CON", "nul", "aux.py", "com1", "LPT9", "con ", "prn.", "__init__", "__main__", "conftest",
    "test_evil", "setup", "json", "typing", "httpx2", "mcp", "os", "class", "None", "print", "self",
    "ctx", "style", "tool", "annotations", "Users", "users", "USERS", "u-s-e-r-s", "\u202eevil",
    "\U0001d4eexec", "\u017felf", "\u7528\u6237", "evil\n", "e" * 300, "$(evil)", "~", "-rf", "*",
]  # fmt: skip
"""As tags, operationIds, parameters, properties and schemas."""


def document(names: list[str] = NAMES) -> dict[str, Any]:
    paths = {}
    for number, name in enumerate(names):
        schema = {"type": "object", "properties": {name: {"type": "string"}, "plain": {}}}
        paths[f"/p{number}"] = {
            "post": {
                "tags": [name],
                "operationId": name,
                "parameters": [{"name": name or "x", "in": "query", "schema": {"type": "string"}}],
                "requestBody": {"content": {"application/json": {"schema": schema}}},
                "responses": OK,
            }
        }
    schemas = {name: {"type": "object", "properties": {"a": {}}} for name in names}
    info = {"title": "../../evil", "version": "../1"}
    return openapi(paths, info=info, components={"schemas": schemas})


def test_names_pick_no_path(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "api.json").write_text(json.dumps(document()))
    arguments = ["from-openapi", str(folder / "api.json"), "-o", str(folder / "out")]
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert sorted(tmp_path.iterdir()) == [folder]
    assert sorted(p.name for p in folder.iterdir()) == ["api.json", "out"]
    files = [p.relative_to(folder / "out").as_posix() for p in (folder / "out").rglob("*")]
    assert len({name.lower() for name in files}) == len(files)
    for name in files:
        assert judge.path_findings(name) == [], name
        assert len(name) < 120


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """The server of the document, in memory."""
    return running.generated(document(), tmp_path_factory.mktemp("made"))


def test_no_module_hides_another(tmp_path: Path, made: Generated) -> None:
    """The package imports under names that are all its own, and `import json` is still Python's."""
    running.write(running.texts(made), tmp_path / "out")
    assert running.import_all([tmp_path / "out"]).returncode == 0
    importable = {p.name for p in (tmp_path / "out").iterdir() if p.is_dir() or p.suffix == ".py"}
    assert importable == {judge.PACKAGE, "tests"}


def test_every_tool_keeps_its_own_names(made: Generated) -> None:
    """Wire names are the document's; each operation has a tool, and tools have different names."""
    tools = json.loads(made.files[f"{judge.PACKAGE}/tools.json"])["tools"]
    assert len({tool["name"] for tool in tools}) == len(NAMES)
    sent = running.wire_names(running.texts(made))
    for tool, name in zip(tools, NAMES, strict=True):
        properties = tool["inputSchema"]["properties"]
        assert all(map(NAME.fullmatch, properties))
        # A body whose properties meet no parameter is spread beside them.
        if name:
            assert sent[tool["name"]] == {name}
            assert len(properties) == 2
            assert name in properties["body"]["properties"]
        else:
            assert sent[tool["name"]] == {"x", "", "plain"}
            assert len(properties) == 3


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    """Links that somebody put where files go lead nowhere."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "api.json").write_text(json.dumps(document(["CON"])))
    for name in ("tests", "evil_mcp", "README.md", "pyproject.toml"):
        (out / name).symlink_to(elsewhere / name if "." in name else elsewhere)
    arguments = ["from-openapi", str(tmp_path / "api.json"), "-o", str(out)]
    for more in ([], ["--force"]):
        assert run(*arguments, *more).exit_code == 1
        assert list(elsewhere.iterdir()) == []


def test_the_output_is_no_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "out").symlink_to(elsewhere)
    (tmp_path / "api.json").write_text(json.dumps(document(["CON"])))
    arguments = ["from-openapi", str(tmp_path / "api.json"), "-o", str(tmp_path / "out")]
    assert run(*arguments).exit_code == 1
    assert list(elsewhere.iterdir()) == []
