"""`accept` of a tool's table: which of the declared media types its answer is asked for."""

from written_documents import write

from .servers import Server, of_document, packaged, read
from .upstream import Answer

CSV = "text/csv; header=present"
KINDS = ("application/json", CSV, "application/pdf")
DOCUMENT = read("reports")
SETTINGS = """
[tools.sheet]
accept = "text/csv"
[tools.data]
accept = "application/json"
name = "rows"
[tools.any_]
accept = true
"""

TABLES = {"sheet": '"text/csv"', "data": '"application/json"'}
reports = of_document(DOCUMENT, settings=SETTINGS)


def asked(server: Server, tool: str, **arguments: str) -> str | None:
    return server.call(tool, arguments).request.header("Accept")


def test_the_settings_and_agents_choose_the_answer(reports):
    assert asked(reports, "usual") == "application/json, text/csv; header=present;q=0.5, " + (
        "application/pdf;q=0.5"
    )
    assert asked(reports, "sheet") == CSV
    assert asked(reports, "rows") == "application/json"
    answer = reports.call("sheet", {}, Answer(b"a,b\n1,2", "text/csv"))
    assert answer.texts == ["a,b\n1,2"]
    sheet, rows = reports.tools["sheet"], reports.tools["rows"]
    assert sheet.output_schema is None
    assert f"The answer is {CSV}." in (sheet.description or "")
    assert rows.output_schema == reports.tools["usual"].output_schema
    assert [*reports.arguments("sheet"), *reports.arguments("rows")] == []
    # The operation has an argument `accept` of its own, which is no header.
    choice = reports.arguments("any_")["accept_"]
    assert choice["enum"] == [*KINDS]
    for kind in KINDS:
        assert asked(reports, "any_", accept_=kind) == kind
    request = reports.call("any_", {"accept": "x"}).request
    assert (request.target, request.header("Accept")) == ("/any?accept=x", asked(reports, "usual"))
    assert "accept_" in reports.call("any_", {"accept_": "text/html"}).refused
    answer = reports.call("any_", {"accept_": CSV}, Answer(b"a,b", "text/csv"))
    assert answer.texts[0] == "a,b"


def test_the_answer_of_a_further_source_is_chosen_too(upstream, tmp_path):
    write(tmp_path / "more.json", {**DOCUMENT, "servers": [{"url": upstream.url}]})
    names = [f'[tools."x_{name}"]\naccept = {value}' for name, value in TABLES.items()]
    further = f"[[with]]\nsource = '{tmp_path / 'more.json'}'\nname = 'more'\nprefix = 'x_'\n"
    settings = "\n".join([*names, further])
    server = packaged(DOCUMENT, tmp_path, upstream, settings=settings)
    assert asked(server, "x_sheet") == CSV
    assert asked(server, "x_data") == "application/json"
    assert server.tools["x_data"].output_schema == server.tools["data"].output_schema
