"""`mcpgen diff` as a command: two documents compared."""

import json
import re
from pathlib import Path
from typing import Any

from command_line import run
from diff_documents import codes, document
from tables import table

from mcpgen.diff.changes import RULES

BOOK = {"type": "object", "properties": {"title": {"type": "string"}}}
PAGE = {"type": "object", "properties": {"number": {"type": "integer"}}}


def diff(folder: Path, old: Any, new: Any, *options: str) -> tuple[int, dict[str, Any]]:
    for name, value in (("old.json", old), ("new.json", new)):
        (folder / name).write_text(json.dumps(value))
    names = [str(folder / "old.json"), str(folder / "new.json")]
    done = run("diff", *names, "--json", *options)
    return done.exit_code, json.loads(done.stdout)


def answering(schema: Any) -> dict[str, Any]:
    """A document with one operation that answers so."""
    answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
    return document(a={"responses": {"200": answer}})


@table(
    "old, new, expected",
    ([], [{"one": []}], {"security-required": "breaking"}),
    ([{"one": []}], [{"two": []}], {"security-required": "breaking"}),
    ([{"one": []}], [{"one": [], "two": []}], {"security-required": "breaking"}),
    ([{"one": []}, {"two": []}], [{"one": []}], {"security-required": "breaking"}),
    ([{"one": ["a"]}], [{"one": ["a", "b"]}], {"security-scopes": "risky"}),
    ([{"one": []}], [], {"security-relaxed": "harmless"}),
    ([{"one": [], "two": []}], [{"one": []}], {"security-relaxed": "harmless"}),
    ([{"one": []}], [{"one": []}], {}),
)
def test_security(tmp_path, old, new, expected):
    _, found = diff(tmp_path, document(a={"security": old}), document(a={"security": new}))
    assert codes(found) == expected
    assert all(" -> " in change["detail"] for change in found["changes"])


OTHER = dict.fromkeys(("security-required", "scheme-changed"), "breaking")


@table(
    "scheme, expected",
    ({"type": "apiKey", "in": "header", "name": "X-Key"}, OTHER),
    ({"type": "http", "scheme": "basic"}, OTHER),
    ({"type": "openIdConnect", "openIdConnectUrl": "https://id.example"}, {}),
    ({"type": "http", "scheme": "Bearer"}, {}),
)
def test_a_scheme_of_the_same_name_may_take_another_credential(tmp_path, scheme, expected):
    old, new = document(a={"security": [{"one": []}]}), document(a={"security": [{"one": []}]})
    new["components"]["securitySchemes"]["one"] = scheme
    _, found = diff(tmp_path, old, new)
    assert codes(found) == expected
    details = [c["detail"] for c in found["changes"] if c["code"] == "security-required"]
    assert all("one: token -> one: " in each for each in details)


def test_what_agents_are_told_of_the_whole(tmp_path):
    old, new = document(a={}), document(a={})
    new["info"] = {**new["info"], "description": "Ask for consent. " * 8}
    _, found = diff(tmp_path, old, new)
    change = {"code": "instructions-changed", "risk": "risky", "tool": "", "where": ""}
    assert found["changes"] == [{**change, "detail": "about 0 -> 34 tokens"}]


def test_tools_come_go_and_get_other_names(tmp_path):
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


@table(
    "old, new, expected",
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
)
def test_a_name_stands_for_another_operation(tmp_path, old, new, expected):
    _, found = diff(tmp_path, removing(**old), removing(**new))
    changes = {(change["code"], change["tool"]) for change in found["changes"]}
    assert {each for each in changes if each[0] != "description-changed"} == expected


def test_an_update_tells_that_names_were_exchanged(tmp_path):
    """Though each tool is listed with the same words as before."""
    source, server = tmp_path / "api.json", tmp_path / "server"
    source.write_text(json.dumps(removing(accounts="purge", sessions="drop")))
    assert run("from-openapi", str(source), "-o", str(server)).exit_code == 0
    source.write_text(json.dumps(removing(accounts="drop", sessions="purge")))
    done = run("update", str(server))
    assert done.output.count("breaking: ") == done.output.count("tool-replaced: ") == 2


def test_nothing_changed(tmp_path):
    code, found = diff(tmp_path, document(a={}), document(a={}), "--fail-on", "any")
    assert (code, found["changes"]) == (0, [])
    listed = run("inspect", str(tmp_path / "old.json"), "--json")
    tokens = json.loads(listed.stdout)["tokens"]
    assert found["old"]["tokens"] == found["new"]["tokens"] == tokens > 0


@table("before, now", ((0, 8), (0, 40)), ((10, 4), (12, 4)), ((16, 4), (18, 4)))
def test_an_answer_that_outgrew_its_outline_lost_nothing(before, now, tmp_path):
    """Documents are compared as a whole, servers without theirs by what they advertise."""

    def shop(outer: int, inner: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        for fields in (inner, outer):
            names = {f"field_{n}": {"type": "string", "description": "A"} for n in range(fields)}
            schema = {"type": "object", "properties": {**names, "inner": schema}}
        return answering(schema)

    code, found = diff(tmp_path, shop(*before), shop(*now))
    added = codes(found)
    added.pop("argument-added", None)  # `fields`, where the answer became wide
    assert (code, added) == (0, {"output-added": "harmless"})
    servers = []
    for name, sizes in (("before", before), ("now", now)):
        source = tmp_path / f"{name}.json"
        source.write_text(json.dumps(shop(*sizes)))
        servers.append(str(tmp_path / name))
        done = run("from-openapi", str(source), "-o", servers[-1])
        assert done.exit_code == 0, done.output
    done = run("diff", *servers, "--json")
    added = codes(json.loads(done.stdout))
    added.pop("argument-added", None)
    assert added == {"output-added": "harmless"}
    (tmp_path / "before.json").unlink()
    done = run("diff", *servers, "--json")
    found = codes(json.loads(done.stdout))
    assert found.pop("output-shortened") == "risky"
    assert found.keys() <= {"output-added", "argument-added"}


def test_a_large_answer_is_compared_to_its_depth(tmp_path):
    def order(*names: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        for _ in range(6):
            beside = {f"field_{n}": {"type": "string"} for n in range(80)}
            schema = {"type": "object", "properties": {"inner": schema, **beside}}
        return answering(schema)

    code, found = diff(tmp_path, order("kept", "lost"), order("kept"), "--fail-on", "breaking")
    assert (code, codes(found)) == (3, {"output-removed": "breaking"})


@table(
    "other, expected",
    ({"type": "string"}, {"output-type-changed": "breaking"}),
    ({"type": "null"}, {"output-optional": "risky"}),
    (PAGE, {"output-widened": "risky"}),
)
def test_an_answer_that_may_be_something_else_lost_nothing(tmp_path, other, expected):
    code, found = diff(tmp_path, answering(BOOK), answering({"oneOf": [BOOK, other]}))
    assert (code, codes(found)) == (0, expected)


def test_fields_that_are_split_among_forms_are_not_gone(tmp_path):
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


def test_the_documentation_lists_the_rules():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "diff.md").read_text()
    for code, rule in RULES.items():
        assert f"| `{code}` | {rule.risk.name.lower()} | {rule.meaning} |" in text


def test_what_is_wrong_with_the_new_document_alone_is_told(tmp_path):
    """It may be why a tool is there no more."""
    lost = {"parameters": [{"$ref": "#/components/parameters/Gone"}]}
    for name, b in (("old", {}), ("new", lost)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document(a=lost, b=b, c={})))
    done = run("diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"))
    assert "b: tool-removed" in done.stdout
    assert re.findall(r"GET /\w is left out", done.stderr) == ["GET /b is left out"]
    assert not run("diff", *[str(tmp_path / "new.json")] * 2).stderr
