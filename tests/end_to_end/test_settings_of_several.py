"""Tables for several tools: by globs, methods and paths, and groups, key by key."""

import json
from typing import Any

import httpx2
from command_line import run
from tables import table

from .servers import Server, of_document

SETTINGS = """
[groups.Desk]
tools = ["pay*", "refund"]
[tools."*"]
scopes = ["any"]
annotations.openWorldHint = false
[tools."group:desk"]
timeout = 1
retries = 1
result_tokens = 100
scopes = ["desk"]
annotations.idempotentHint = true
[tools."POST /payments/*"]
timeout = 2
retries = 2
scopes = ["post"]
[tools."POST /pay*/{id}/refund"]
timeout = 3
[tools."pay*"]
timeout = 4
retries = 4
[tools."pay[BR]?c*"]
timeout = 5
[tools."POST /payments/{key}/refund"]
timeout = 6
[tools.payBack]
timeout = 7
name = "refund"
[tools."drop*"]
enabled = false
[tools.dropOne]
enabled = true
[tools."GET /payments"]
annotations.readOnlyHint = false
scopes = []
"""

till = of_document("till", settings=SETTINGS)


def sources(till: Server, tool: str) -> dict[str, tuple[Any, str]]:
    done = run("settings", str(till.folder), "--tool", tool, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["tool"] == tool
    lines = (till.folder / "mcpgen.toml").read_text().splitlines()
    for each in told["settings"]:
        assert (each["line"] is None) == (not each["from"].startswith("[tools"))
        if each["line"]:
            assert each["key"].partition(".")[0] in lines[each["line"] - 1]
    return {each["key"]: (each["value"], each["from"]) for each in told["settings"]}


def test_what_is_nearest_to_a_tool_comes_first(till):
    refund = sources(till, "refund")
    assert refund == sources(till, "payBack")
    assert refund["timeout"] == (7, '[tools."payBack"]')
    assert refund["retries"] == (4, '[tools."pay*"]')
    assert refund["scopes"] == (["post"], '[tools."POST /payments/*"]')
    assert refund["result_tokens"] == (100, '[tools."group:desk"]')
    assert refund["annotations.idempotentHint"] == (True, '[tools."group:desk"]')
    assert refund["annotations.openWorldHint"] == (False, '[tools."*"]')
    assert refund["annotations.destructiveHint"] == (True, "the document")
    assert sources(till, "payReceipt")["timeout"] == (5, '[tools."pay[BR]?c*"]')
    assert sources(till, "payPart")["scopes"] == (["desk"], '[tools."group:desk"]')
    assert sources(till, "dropAll")["enabled"] == (False, '[tools."drop*"]')
    assert sources(till, "dropOne")["enabled"] == (True, '[tools."dropOne"]')
    assert sources(till, "dropOne")["scopes"] == ([["own"]], "the document")
    assert sources(till, "listAll")["scopes"] == ([], '[tools."GET /payments"]')
    text = run("settings", str(till.folder), "--tool", "refund").stdout
    assert '[tools."payBack"], mcpgen.toml:' in text


@table(
    "without, value, source",
    (["payBack"], 6, "POST /payments/{key}/refund"),
    (["payBack", "POST /payments/{key}/refund"], 5, "pay[BR]?c*"),
    (["payBack", "POST /payments/{key}/refund", "pay[BR]?c*"], 4, "pay*"),
    (["payBack", "POST /payments/{key}/refund", "pay[BR]?c*", "pay*"], 3, "POST /pay*/{id}/refund"),
)
def test_each_kind_of_table_has_its_place(till, tmp_path, without, value, source):
    text = (till.folder / "mcpgen.toml").read_text()
    for each in without:
        before, head, rest = text.partition(f'[tools."{each}"]')
        if not head:
            before, head, rest = text.partition(f"[tools.{each}]")
        assert head
        text = f"{before}[ignored]{rest}".replace("[ignored]", f'[tools."unused{len(before)}*"]')
        text = text.replace('name = "refund"\n', "")
    (tmp_path / "mcpgen.toml").write_text(
        text.replace("../document.json", str(till.folder.parent / "document.json"))
    )
    done = run("settings", str(tmp_path), "--tool", "payBack", "--json")
    assert done.exit_code == 0, done.output
    told = {each["key"]: each for each in json.loads(done.stdout)["settings"]}
    assert (told["timeout"]["value"], told["timeout"]["from"]) == (value, f'[tools."{source}"]')


def test_the_server_keeps_them(till, monkeypatch):
    monkeypatch.setenv("TILL_LOGIN_TOKEN", "t-123456789")
    access = json.loads((till.folder / till.package / "access.json").read_text())
    assert access == {
        "payPart": [["desk"]],
        "refund": [["post"]],
        "payReceipt": [["post"]],
        "dropOne": [["own"]],
    }
    assert {*till.tools} == {"listAll", "payPart", "refund", "payReceipt", "dropOne"}
    hints = till.tools["listAll"].annotations
    assert hints.read_only_hint is False
    seen = []

    def answer(request):
        seen.append(request.method)
        return httpx2.Response(503, headers={"Retry-After": "0"})

    async def use(client):
        assert (await client.call_tool("payPart", {})).is_error
        assert (await client.call_tool("dropOne", {})).is_error

    till.use(use, httpx2.MockTransport(answer), retries=2)
    assert seen == ["PUT"] * 5 + ["DELETE"] * 3


def test_unknown_tools_and_servers_are_told(till, tmp_path):
    done = run("settings", str(till.folder), "--tool", "payBak")
    assert (done.exit_code, "Did you mean `payBack`" in done.output) == (1, True), done.output
    assert run("settings", str(tmp_path), "--tool", "payBack").exit_code == 1
    assert run("settings", str(till.folder)).exit_code == 2
