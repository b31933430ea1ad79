"""How `mcpgen diff` shows what it found: as lines and as Markdown."""

import json
import re

import pytest
from command_line import run
from diff_documents import document

from mcpgen.diff import report
from mcpgen.diff.changes import Change
from mcpgen.diff.tool_changes import Diff, ToolList


def test_what_happens_to_many_tools_alike_is_told_once(tmp_path):
    operation = {"responses": {"200": {"description": "ok"}}}
    added = {**operation, "parameters": [{"name": "q", "in": "query", "schema": {}}]}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(**dict.fromkeys("abcde", operation))))
    new.write_text(json.dumps(document(**dict.fromkeys("abcde", added))))
    command = ["diff", str(old), str(new)]
    shown = run(*command).stdout
    assert "  a, b, c and 2 more: argument-added `q`" in shown.splitlines()
    table = run(*command, "--format", "markdown").stdout
    folded = "<details><summary>and 2 more</summary>`d`, `e`</details>"
    assert f"| `a`, `b`, `c`{folded} | `q` | there is a new optional argument |" in table
    found = json.loads(run(*command, "--json").stdout)["changes"]
    assert [(each["tool"], each["where"]) for each in found] == [(name, "q") for name in "abcde"]


def test_a_comment_that_is_too_long_is_cut_where_it_can_be_read():
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
        assert last == "The report is cut here; `mcpgen diff` shows all of it."


def test_names_that_unfold_go_before_a_change_is_cut():
    changes = [
        Change("argument-added", f"{'t' * 60}{n}", where) for where in "ab" for n in range(700)
    ]
    found = Diff(ToolList("old", []), ToolList("new", []), tuple(changes))
    shown = report.as_markdown(found)
    assert shown.count(" and 697 more | `") == 2
    assert "Cut here" not in shown


def test_the_worst_is_told_first():
    """So it is there where a comment is cut."""
    changes = [Change(code, "t") for code in ("tool-added", "description-changed", "tool-removed")]
    found = Diff(ToolList("old", []), ToolList("new", []), tuple(changes))
    for text in (report.as_markdown(found), "\n".join(report.as_text(found)).title()):
        assert re.findall("Breaking|Risky|Harmless", text) == ["Breaking", "Risky", "Harmless"]


def test_markdown_shows_text_of_a_document_as_text(tmp_path):
    old = [{"name": "t", "inputSchema": {"type": "object", "properties": {"a|<b>": {}}}}]
    new = [{"name": "t", "inputSchema": {"type": "object", "additionalProperties": False}}]
    for name, tools in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps({"tools": tools}))
    names = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    done = run("diff", *names, "--format", "markdown")
    assert "| a\\|\\<b\\> |" in done.stdout, done.output
    assert "#### 🔴 Breaking" in done.stdout


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_no_form_of_a_report_holds_a_command(tmp_path, form):
    """Neither of a terminal, nor of what looks for commands in the log of a CI job.

    `##vso[` works anywhere in a line of an Azure Pipelines log, `##[` in two others.
    """
    name = "a\x1b[31m\u202e\n::stop-commands::x##[add-mask]y##vso[task.setvariable]"
    parameter = {"name": "p", "in": "query", "schema": {"type": "object"}}
    held = {"type": "object", "properties": {name: {"type": "string"}}}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(a={"parameters": [{**parameter, "schema": held}]})))
    new.write_text(json.dumps(document(a={"parameters": [parameter]})))
    told = run("diff", str(old), str(new), "--format", form).stdout
    assert "add-mask" in told
    assert not re.search(r"##\w*\[|\x1b|\u202e|^::", told, re.MULTILINE)
    if form == "text":
        shown = r"a\x1b[31m\u202e\n::stop-commands::x##\x5badd-mask]y##vso\x5btask.setvariable]"
        assert f"  a: argument-undeclared `p.{shown}`" in told.splitlines()
    if form == "json":
        assert json.loads(told)["changes"][0]["where"] == f"p.{name}"
        made = run("from-openapi", str(old), "-o", str(tmp_path / "s##vso[x"), "--json").stdout
        assert json.loads(made)["output"].endswith("s##vso[x")
        assert "##vso[" not in made
