"""Keys that are twice in an object, and documents that are too large."""

import json

from command_line import run
from documents import load, refusal
from openapi_reading import OK, one
from tables import table

from mcpgen import generate
from mcpgen.diagnostics import Diagnostics
from mcpgen.source.limits import Limits

INFO = {"title": "Pets", "version": "1"}


def test_a_text_for_people_that_is_there_twice_is_a_warning(tmp_path):
    text = (
        "info:\n  description: First\n  title: T\n  description: Last\n"
        "x-a: {summary: One, summary: ''}\nx-b: {summary: , summary: Two}\n"
    )
    for name, written in (("a.yaml", text), ("a.json", _as_json())):
        path = tmp_path / name
        path.write_text(written, encoding="utf-8")
        found = Diagnostics()
        value = load(path, found).root.value
        assert value["info"] == {"description": "Last", "title": "T"}
        assert value["x-a"] == {"summary": "One"}
        assert value["x-b"] == {"summary": "Two"}
        assert [each.code for each in found.items] == ["repeated-key"] * 3
        assert found.items[0].location is not None
        assert "first in line 2" in found.items[0].message


def _as_json() -> str:
    return (
        '{"info":\n {"description": "First", "title": "T",\n "description": "Last"},'
        '"x-a": {"summary": "One", "summary": ""}, "x-b": {"summary": null, "summary": "Two"}}'
    )


@table(
    "text",
    "get: {a: 1}\nget: {b: 2}\n",
    "description: {a: 1}\ndescription: {b: 2}\n",
    '{"get": {"a": 1}, "get": {"b": 2}}',
    '{"title": "t", "title": "u", "description": 1, "description": {"b": 2}}',
)
def test_what_else_is_there_twice_is_an_error_unless_the_last_may_hold(tmp_path, text):
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    problem = refusal(path)
    assert problem.code == "duplicate-key"
    assert "--repeated-keys last" in problem.hint
    found = Diagnostics()
    value = load(path, found, limits=Limits(repeated_keys="last")).root.value
    assert {"b": 2} in value.values()
    assert "repeated-key" in {each.code for each in found.items}


def test_flags_and_settings_say_which_one_holds(tmp_path):
    path, server = tmp_path / "api.json", tmp_path / "server"
    text = json.dumps({"openapi": "3.1.0", "info": INFO, **one({})})
    path.write_text(
        text.replace('"responses"', '"summary": "Get", "deprecated": true, "responses"')
    )
    again = path.read_text().replace(
        '"deprecated": true', '"deprecated": true, "deprecated": false'
    )
    path.write_text(again)
    refused = run("from-openapi", str(path), "-o", str(server))
    assert refused.exit_code == 1
    assert "--repeated-keys last" in refused.output
    done = run("from-openapi", str(path), "-o", str(server), "--repeated-keys", "last")
    assert done.exit_code == 0
    assert "warning[repeated-key]" in done.output
    assert 'repeated_keys = "last"' in (server / "mcpgen.toml").read_text()
    assert run("check", str(server)).exit_code == 0


def test_the_limit_of_values_has_a_flag_that_its_message_names(tmp_path):
    path, server = tmp_path / "api.json", tmp_path / "server"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": INFO, **one({"responses": OK})}))
    asked = ("from-openapi", str(path), "-o", str(server), "--max-source-values")
    refused = run(*asked, "5")
    assert refused.exit_code == 1
    assert "--max-source-values" in refused.output
    assert "--include-path" in refused.output
    assert run(*asked, "50").exit_code == 0


def test_a_file_that_git_hosts_refuse_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "MOST_BYTES", 200)
    path = tmp_path / "api.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": INFO, **one({"responses": OK})}))
    done = run("from-openapi", str(path), "-o", str(tmp_path / "server"))
    assert done.exit_code == 0
    assert "warning[large-file]" in done.output
    assert "has 0 MiB, and git hosts refuse files of more than 100" in done.output
