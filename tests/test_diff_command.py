"""`mcpgen diff` as a command: documents, servers and revisions compared, and how that is shown."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from mcpgen.diff import report
from mcpgen.diff.changes import RULES, Change
from mcpgen.diff.tools import Diff, ToolList

BOOK = {"type": "object", "properties": {"title": {"type": "string"}}}
PAGE = {"type": "object", "properties": {"number": {"type": "integer"}}}


def document(**operations: Any) -> dict[str, Any]:
    answer = {"200": {"description": "ok"}}
    paths = {
        f"/{key}": {"get": {"operationId": key, "responses": answer, **given}}
        for key, given in operations.items()
    }
    scheme = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": {"one": scheme, "two": scheme}},
    }


def diff(folder: Path, old: Any, new: Any, *options: str) -> tuple[int, dict[str, Any]]:
    for name, value in (("old.json", old), ("new.json", new)):
        (folder / name).write_text(json.dumps(value))
    names = [str(folder / "old.json"), str(folder / "new.json")]
    done = run("diff", *names, "--json", *options)
    return done.exit_code, json.loads(done.stdout)


def codes(found: dict[str, Any]) -> dict[str, str]:
    return {change["code"]: change["risk"] for change in found["changes"]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [{"one": []}], {"security-required": "breaking"}),
        ([{"one": []}], [{"two": []}], {"security-required": "breaking"}),
        ([{"one": []}], [{"one": [], "two": []}], {"security-required": "breaking"}),
        ([{"one": []}, {"two": []}], [{"one": []}], {"security-required": "breaking"}),
        ([{"one": ["a"]}], [{"one": ["a", "b"]}], {"security-scopes": "risky"}),
        ([{"one": []}], [], {"security-relaxed": "harmless"}),
        ([{"one": [], "two": []}], [{"one": []}], {"security-relaxed": "harmless"}),
        ([{"one": []}], [{"one": []}], {}),
    ],
)
def test_security(tmp_path: Path, old: Any, new: Any, expected: dict[str, str]) -> None:
    _, found = diff(tmp_path, document(a={"security": old}), document(a={"security": new}))
    assert codes(found) == expected
    assert all(" -> " in change["detail"] for change in found["changes"])


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, {"security-required": "breaking"}),
        ({"type": "http", "scheme": "basic"}, {"security-required": "breaking"}),
        ({"type": "openIdConnect", "openIdConnectUrl": "https://id.example"}, {}),
        ({"type": "http", "scheme": "Bearer"}, {}),
    ],
)
def test_a_scheme_of_the_same_name_may_take_another_credential(
    tmp_path: Path, scheme: dict[str, str], expected: dict[str, str]
) -> None:
    old, new = document(a={"security": [{"one": []}]}), document(a={"security": [{"one": []}]})
    new["components"]["securitySchemes"]["one"] = scheme
    _, found = diff(tmp_path, old, new)
    assert codes(found) == expected
    assert all("one: token -> one: " in change["detail"] for change in found["changes"])


def test_what_agents_are_told_of_the_whole(tmp_path: Path) -> None:
    old, new = document(a={}), document(a={})
    new["info"] = {**new["info"], "description": "Ask for consent. " * 8}
    _, found = diff(tmp_path, old, new)
    change = {"code": "instructions-changed", "risk": "risky", "tool": "", "where": ""}
    assert found["changes"] == [{**change, "detail": "about 0 -> 34 tokens"}]


def test_tools_come_go_and_get_other_names(tmp_path: Path) -> None:
    old = document(a={}, b={}, c={})
    new = document(a={}, c={}, d={})
    new["paths"]["/c"]["get"]["operationId"] = "sea"
    code, found = diff(tmp_path, old, new, "--fail-on", "breaking")
    assert code == 3
    assert [(c["code"], c["tool"]) for c in found["changes"] if c["risk"] == "breaking"] == [
        ("tool-removed", "b"),
        ("tool-renamed", "c"),
    ]
    assert ("tool-added", "d") in [(c["code"], c["tool"]) for c in found["changes"]]


def removing(**operations: str) -> dict[str, Any]:
    """Operations that look alike, by path."""
    answer = {"204": {"description": "ok"}}
    paths = {
        f"/{path}": {"delete": {"operationId": name, "summary": "Delete.", "responses": answer}}
        for path, name in operations.items()
    }
    return {**document(), "paths": paths}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            {"accounts": "purge", "sessions": "drop"},
            {"accounts": "drop", "sessions": "purge"},
            {("tool-replaced", "drop"), ("tool-replaced", "purge"), ("order-changed", "")},
        ),
        (
            {"accounts": "purge", "sessions": "drop"},
            {"sessions": "purge"},
            {("tool-replaced", "purge"), ("tool-removed", "drop")},
        ),
        (
            {"accounts": "purge"},
            {"accounts": "drop", "sessions": "purge"},
            {("tool-replaced", "purge"), ("tool-added", "drop")},
        ),
        ({"v1/accounts": "purge"}, {"v2/accounts": "purge"}, set()),
    ],
)
def test_a_name_stands_for_another_operation(
    tmp_path: Path, old: Any, new: Any, expected: set[tuple[str, str]]
) -> None:
    _, found = diff(tmp_path, removing(**old), removing(**new))
    assert {(change["code"], change["tool"]) for change in found["changes"]} == expected


def test_an_update_tells_that_names_were_exchanged(tmp_path: Path) -> None:
    """Though each tool is listed with the same words as before."""
    source, server = tmp_path / "api.json", tmp_path / "server"
    source.write_text(json.dumps(removing(accounts="purge", sessions="drop")))
    assert run("from-openapi", str(source), "-o", str(server)).exit_code == 0
    source.write_text(json.dumps(removing(accounts="drop", sessions="purge")))
    done = run("update", str(server))
    assert done.output.count("breaking: ") == done.output.count("tool-replaced: ") == 2


def test_nothing_changed(tmp_path: Path) -> None:
    code, found = diff(tmp_path, document(a={}), document(a={}), "--fail-on", "any")
    assert (code, found["changes"]) == (0, [])
    listed = run("inspect", str(tmp_path / "old.json"), "--json")
    tokens = json.loads(listed.stdout)["tokens"]
    assert found["old"]["tokens"] == found["new"]["tokens"] == tokens > 0


@pytest.mark.parametrize(
    ("before", "now"), [((0, 8), (0, 40)), ((10, 4), (12, 4)), ((13, 4), (15, 4))]
)
def test_an_answer_that_outgrew_its_outline_lost_nothing(
    before: tuple[int, int], now: tuple[int, int], tmp_path: Path
) -> None:
    """Documents are compared as a whole, servers by what they advertise."""

    def shop(outer: int, inner: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        for fields in (inner, outer):
            names = {f"field_{n}": {"type": "string", "description": "A"} for n in range(fields)}
            schema = {"type": "object", "properties": {**names, "inner": schema}}
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        operation = {"operationId": "a", "responses": {"200": answer}}
        return {**document(), "paths": {"/a": {"get": operation}}}

    code, found = diff(tmp_path, shop(*before), shop(*now))
    assert (code, codes(found)) == (0, {"output-added": "harmless"})
    servers = []
    for name, sizes in (("before", before), ("now", now)):
        source = tmp_path / f"{name}.json"
        source.write_text(json.dumps(shop(*sizes)))
        servers.append(str(tmp_path / name))
        done = run("from-openapi", str(source), "-o", servers[-1])
        assert done.exit_code == 0, done.output
    done = run("diff", *servers, "--json")
    found = codes(json.loads(done.stdout))
    assert found.pop("output-shortened") == "risky"
    assert found.keys() <= {"output-added"}


def test_a_large_answer_is_compared_to_its_depth(tmp_path: Path) -> None:
    def order(*names: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        for _ in range(6):
            beside = {f"field_{n}": {"type": "string"} for n in range(80)}
            schema = {"type": "object", "properties": {"inner": schema, **beside}}
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    code, found = diff(tmp_path, order("kept", "lost"), order("kept"), "--fail-on", "breaking")
    assert (code, codes(found)) == (3, {"output-removed": "breaking"})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"type": "string"}, {"output-type-changed": "breaking"}),
        ({"type": "null"}, {"output-optional": "risky"}),
        (PAGE, {"output-widened": "risky"}),
    ],
)
def test_an_answer_that_may_be_something_else_lost_nothing(
    tmp_path: Path, other: Any, expected: dict[str, str]
) -> None:
    def answering(schema: Any) -> dict[str, Any]:
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    code, found = diff(tmp_path, answering(BOOK), answering({"oneOf": [BOOK, other]}))
    assert (code, codes(found)) == (0, expected)


def test_fields_that_are_split_among_forms_are_not_gone(tmp_path: Path) -> None:
    def answering(schema: Any) -> dict[str, Any]:
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    def places(*names: str) -> dict[str, Any]:
        members = {name: {"type": "string"} for name in names}
        return {"type": "object", "properties": members, "additionalProperties": False}

    old = places("pod", "cloud", "lost")
    new = {"oneOf": [{**places(name), "required": [name]} for name in ("pod", "cloud")]}
    _, found = diff(
        tmp_path, answering({"properties": {"at": old}}), answering({"properties": {"at": new}})
    )
    told = [(each["code"], each["where"]) for each in found["changes"]]
    assert told == [("output-removed", "at.lost"), ("output-narrowed", "at.pod")]


def test_revisions_and_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}
    whole = {**document(), "paths": {"/a": {"$ref": "part.json"}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/api.json").write_text(json.dumps(whole))
    done = run("from-openapi", "api/api.json", "-o", "server")
    assert done.exit_code == 0, done.output
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b.example commit -qm 1"):
        subprocess.run(["git", *command.split()], check=True)
    part["get"]["operationId"] = "z"  # type: ignore[index]
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    for old in ("HEAD:api/api.json", "HEAD:server", "server"):
        done = run("diff", old, "api/api.json", "--json")
        assert "tool-renamed" in codes(json.loads(done.stdout)), old
    done = run("diff", "HEAD:api/api.json", "server")
    assert done.exit_code == 0
    assert "breaking" not in done.stdout
    for wrong in ("HEAD:none.json", "NONE:api/api.json", "api"):
        assert run("diff", wrong, "server").exit_code == 1


def test_a_revision_is_named_from_any_folder_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "the docs"
    folder.mkdir()
    (folder / "api.json").write_text(json.dumps(document(a={}, b={})))
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    (folder / "api.json").write_text(json.dumps(document(a={})))
    named = (
        (folder, "api.json"),
        (tmp_path, "the docs/api.json"),
        (folder, "../the docs/api.json"),
    )
    for place, path in named:
        monkeypatch.chdir(place)
        done = run("diff", f"HEAD:{path}", path, "--json")
        assert codes(json.loads(done.stdout)) == {"tool-removed": "breaking"}
    monkeypatch.setenv("PATH", "")
    done = run("diff", "HEAD:api.json", "api.json")
    assert done.exit_code == 1
    assert "HEAD:api.json cannot be read: there is no git" in done.output


def test_what_is_kept_from_releases_is_of_the_revision_and_what_links_lead_out_to_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parts = {f"/{name}": {"$ref": f"{name}.json"} for name in ("near", "far")}
    part = {"get": {"responses": {"200": {"description": "ok"}}}}
    Path("kept").mkdir()
    Path("kept/api.json").write_text(json.dumps({**document(), "paths": parts}))
    Path("kept/part.json").write_text(json.dumps(part))
    Path("kept/.gitattributes").write_text("* export-ignore\n")
    Path("far.json").write_text(json.dumps(part))
    for name, place in (("near", "part.json"), ("far", "../far.json"), ("round", "round.json")):
        Path(f"kept/{name}.json").symlink_to(place)
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", *command], check=True)
    done = run("inspect", "HEAD:kept/api.json", "--json")
    assert done.exit_code == 0, done.output
    assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == ["get_near"]


@pytest.mark.parametrize("folder", ["api", "deep/in/api"])
def test_folders_beside_a_document_are_of_its_revision_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    around = Path(folder).parent

    def shared(title: str) -> None:
        for name, said in (
            ("paths/part", {"get": {"parameters": [{"$ref": "../the schemas/p.json"}]}}),
            ("the schemas/p", {"name": title, "in": "query", "schema": {"type": "string"}}),
            ("unused/p", {}),
        ):
            (around / name).parent.mkdir(exist_ok=True, parents=True)
            (around / f"{name}.json").write_text(json.dumps(said))

    Path(folder).mkdir(parents=True)
    paths = {"/a": {"$ref": "../paths/part.json"}, "/b": {"$ref": "../none/part.json"}}
    Path(folder, "api.json").write_text(json.dumps({**document(), "paths": paths}))
    shared("old")
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", *command], check=True)
    shared("new")
    done = run("diff", f"HEAD:{folder}/api.json", f"{folder}/api.json")
    assert "argument-removed `old`" in done.stdout, done.output
    assert "argument-added `new`" in done.stdout


def test_a_document_of_a_revision_is_called_by_its_name_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}
    whole = {**document(b={"requestBody": 1}), "paths": {"/a": {"$ref": "part.json"}, "//b": {}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/bad.json").write_text(json.dumps(whole))
    (tmp_path / "api/api.json").write_text(json.dumps(document(a={})))
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", *command], check=True)
    for command in (["inspect", "HEAD:api/bad.json"], ["diff", "HEAD:api/bad.json", "api"]):
        done = run(*command)
        assert done.exit_code == 1
        assert done.stderr.count("--> HEAD:api/bad.json:1:") == 1, done.stderr
    done = run("inspect", "HEAD:api/api.json")
    assert "  HEAD:api/api.json:1:" in done.stdout


def test_what_happens_to_many_tools_alike_is_told_once(tmp_path: Path) -> None:
    operation = {"responses": {"200": {"description": "ok"}}}
    added = {**operation, "parameters": [{"name": "q", "in": "query", "schema": {}}]}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(**dict.fromkeys("abcde", operation))))
    new.write_text(json.dumps(document(**dict.fromkeys("abcde", added))))
    command = ["diff", str(old), str(new)]
    shown = run(*command).stdout
    assert "  a, b, c and 2 more: argument-added `q`" in shown.splitlines()
    table = run(*command, "--format", "markdown").stdout
    assert "| `a`, `b`, `c` and 2 more | `q` | there is a new optional argument |" in table
    found = json.loads(run(*command, "--json").stdout)["changes"]
    assert [(each["tool"], each["where"]) for each in found] == [(name, "q") for name in "abcde"]


def test_a_comment_that_is_too_long_is_cut_where_it_can_be_read() -> None:
    """Also what stands in a fold: behind it the end is seen without unfolding it."""
    names = [f"{'t' * 500}{n}" for n in range(200)]
    tools = [{"name": name, "inputSchema": {}, "title": name} for name in names]
    for old, new in ((tools, []), ([], tools)):
        changed = report.as_markdown(
            Diff(
                ToolList("old", old),
                ToolList("new", new),
                tuple(
                    Change("tool-added" if new else "tool-removed", name, name) for name in names
                ),
            )
        )
        assert 59_000 < len(changed) < 65_536
        assert changed.count("<details>") == changed.count("</details>") == bool(new)
        *_, row, _, last = changed.replace("\n\n</details>", "").splitlines()
        assert row.endswith("|")
        assert last == "Cut here; `mcpgen diff` shows all of it."


def test_the_worst_is_told_first() -> None:
    """So it is there where a comment is cut."""
    changes = [Change(code, "t") for code in ("tool-added", "description-changed", "tool-removed")]
    found = Diff(ToolList("old", []), ToolList("new", []), tuple(changes))
    for text in (report.as_markdown(found), "\n".join(report.as_text(found)).title()):
        assert re.findall("Breaking|Risky|Harmless", text) == ["Breaking", "Risky", "Harmless"]


def test_markdown_shows_text_of_a_document_as_text(tmp_path: Path) -> None:
    old = [{"name": "t", "inputSchema": {"type": "object", "properties": {"a|<b>": {}}}}]
    new = [{"name": "t", "inputSchema": {"type": "object", "additionalProperties": False}}]
    for name, tools in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps({"tools": tools}))
    names = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    done = run("diff", *names, "--format", "markdown")
    assert "| a\\|\\<b\\> |" in done.stdout, done.output
    assert "#### 🔴 Breaking" in done.stdout


def test_lines_show_text_of_a_document_and_obey_none(tmp_path: Path) -> None:
    """Neither a terminal, nor what looks for commands in the log of a CI job."""
    name = "a\x1b[31m\u202e\n::stop-commands::x##[add-mask]y##vso[task.setvariable]"
    parameter = {"name": name, "in": "query", "schema": {"type": "string"}}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(a={"parameters": [parameter]})))
    new.write_text(json.dumps(document(a={})))
    lines = run("diff", str(old), str(new)).stdout.splitlines()
    shown = r"a\x1b[31m\u202e\n::stop-commands::x##\x5badd-mask]y##vso\x5btask.setvariable]"
    assert f"  a: argument-removed `{shown}`" in lines


def test_the_documentation_lists_the_rules() -> None:
    text = (Path(__file__).parent.parent / "docs" / "diff.md").read_text()
    for code, rule in RULES.items():
        assert f"| `{code}` | {rule.risk.name.lower()} | {rule.meaning} |" in text


def test_what_is_wrong_with_the_new_document_alone_is_told(tmp_path: Path) -> None:
    """It may be why a tool is there no more."""
    lost = {"parameters": [{"$ref": "#/components/parameters/Gone"}]}
    for name, b in (("old", {}), ("new", lost)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document(a=lost, b=b, c={})))
    done = run("diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"))
    assert "b: tool-removed" in done.stdout
    assert re.findall(r"GET /\w is left out", done.stderr) == ["GET /b is left out"]
    assert not run("diff", *[str(tmp_path / "new.json")] * 2).stderr
