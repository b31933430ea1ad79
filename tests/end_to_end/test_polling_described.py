"""What is said of the answer of an operation that the API finishes later."""

import json

import generated_tests
import httpx2
from command_line import run
from mcp_types import CallToolResult
from tables import table

from .servers import Server, of_document, read
from .test_polling import Script, answer

POLL = {
    "export": 'result = "/at", operation = "GET /exports/{id}"',
    "exportNamed": 'result = "/at", operation = "getExport"',
    "exportUnknown": 'result = "/at"',
    "exportUntold": "",
    "report": "",
    "index": "",
    "proof": 'status = "/phase"',
}

press = of_document(
    "press",
    settings="".join(f"[tools.{tool}]\npoll = {{{poll}}}\n" for tool, poll in POLL.items()),
)


def called(server: Server, tool: str, api: Script) -> CallToolResult:
    transport = httpx2.MockTransport(api)
    found: CallToolResult = server.use(
        lambda client: client.call_tool(tool, {}), transport=transport, base_url=None
    )
    return found


@table(
    "tool, last, says",
    ("export", {"rows": 3}, "rows"),
    ("exportNamed", {"rows": 3}, "rows"),
    ("exportUnknown", {"rows": 3}, None),
    ("exportUntold", {"status": "done"}, None),
    ("report", {"pages": 4}, "pages"),
    ("index", {"state": "done"}, "state"),
)
def test_an_answer_is_judged_by_what_the_operation_ends_with(press, tool, last, says):
    """It was judged by the schema of the 202, which it never fits: each success had a note."""
    schema = press.tools[tool].output_schema
    assert says in schema["anyOf"][0]["properties"] if schema and says else schema is says
    ending = [answer(200, {"at": "/exports/9"})] if "result" in POLL[tool] else []
    api = Script(answer(202, {"job": "7"}, Location="/ops/1"), *ending, answer(200, last))
    result = called(press, tool, api)
    assert result.structured_content == last
    assert len(result.content) == 1


def test_settings_say_which_operations_are_followed(press):
    phases = [answer(200, {"phase": phase}) for phase in ("pending", "ready")]
    api = Script(answer(202, Location="/ops/1"), *phases)
    assert not called(press, "proof", api).is_error
    assert len(api.asked) == 3
    tasks = json.loads((press.folder / press.package / "tasks.json").read_text("utf-8"))
    assert tasks == dict.fromkeys(POLL, "optional")
    done = generated_tests.run(press.folder)
    assert done.returncode == 0, done.stdout


def test_an_operation_that_is_not_in_the_document_ends_nothing(tmp_path):
    (tmp_path / "api.json").write_text(json.dumps(read("press")), "utf-8")
    toml = 'source = "api.json"\n[tools.export.poll]\noperation = "getExports"\n'
    (tmp_path / "mcpgen.toml").write_text(toml, "utf-8")
    done = run("from-openapi", str(tmp_path / "api.json"), "-o", str(tmp_path), "--force")
    assert done.exit_code == 1
    assert "Did you mean `getExport`?" in done.stderr
