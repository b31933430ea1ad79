"""Schemas that are over the budget of signatures are told when a server is generated."""

import json
from pathlib import Path
from typing import Any

import fanning
import pytest
from command_line import run


def warnings(folder: Path, *options: str) -> list[dict[str, Any]]:
    done = run(*options, "-o", str(folder / "made"), "--surface", "search", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["diagnostics"]
    return [each for each in told if each["code"] == "wide-schema"]


def line_of(path: Path, text: str) -> int:
    return path.read_text("utf-8").split("\n").index(text) + 1


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=1), "utf-8")
    return path


@pytest.mark.parametrize("kind", ["forms", "lists"])
def test_the_schema_is_named_where_it_stands(tmp_path, kind):
    source = written(tmp_path / "fans.json", fanning.document(kind))
    (told,) = warnings(tmp_path, "from-openapi", str(source))
    assert told["severity"] == "warning"
    name = told["pointer"].removeprefix("/components/schemas/")
    assert f"the schema `{name}` is too large for a signature" in told["message"]
    assert "`fan`" in told["message"]
    assert told["hint"]
    assert Path(told["file"]).name == "fans.json"
    assert told["line"] == line_of(source, f'   "{name}": {{')


def test_of_a_further_source_too(tmp_path):
    small = fanning.document("forms", "small", "Small")
    small["components"]["schemas"]["L0"] = {"type": "string"}
    first = written(tmp_path / "small.json", small)
    written(tmp_path / "fans.json", fanning.document("forms"))
    (tmp_path / "made").mkdir()
    (tmp_path / "made/mcpgen.toml").write_text('[[with]]\nsource = "../fans.json"\n')
    (told,) = warnings(tmp_path, "from-openapi", str(first), "--force")
    assert Path(told["file"]).name == "fans.json"
    assert told["pointer"].startswith("/components/schemas/L")


def test_of_a_tool_file_too(tmp_path):
    source = written(tmp_path / "fans.json", fanning.tool_file("lists"))
    (told,) = warnings(tmp_path, "from-schema", str(source))
    assert Path(told["file"]).name == "fans.json"
    assert "`fan`" in told["message"]


def test_with_strict_it_is_an_error_and_where_all_tools_are_listed_it_is_none(tmp_path):
    source = str(written(tmp_path / "fans.json", fanning.document("forms")))
    output = ("-o", str(tmp_path / "made"))
    done = run("from-openapi", source, *output, "--surface", "search", "--strict")
    assert done.exit_code == 1
    assert "[wide-schema]" in done.output
    assert not (tmp_path / "made").exists()
    done = run("from-openapi", source, *output, "--surface", "tools")
    assert done.exit_code == 0
    assert "wide-schema" not in done.output
