"""With a list of wanted operations, those that come into the document are told."""

import json
from pathlib import Path

import pytest
from command_line import run


def write(*paths: str) -> None:
    """The document, with an operation that reads at each path."""
    operations = {path: {"get": {"operationId": path.strip("/")}} for path in paths}
    info = {"title": "Pier", "version": "1"}
    document = {"openapi": "3.1.0", "info": info, "paths": operations}
    Path("api.json").write_text(json.dumps(document))


@pytest.mark.parametrize(("flag", "is_told"), [("--include-path", True), ("--exclude-path", False)])
def test_new_operations_that_are_not_wanted_are_told_once(tmp_path, monkeypatch, flag, is_told):
    monkeypatch.chdir(tmp_path)
    write("/boats", "/cranes")
    wanted = "/boats" if is_told else "/cranes"
    assert run("from-openapi", "api.json", "-o", "server", flag, wanted).exit_code == 0
    write("/boats", "/cranes", "/locks")
    for command in ("check", "update"):
        done = run(command, "server")
        assert ("document, but not included: GET /locks" in done.output) is is_told, command
        if command == "check":
            assert ("GET /locks" in run("diff").stderr) is is_told
    assert "GET /locks" not in run("update", "server").output
