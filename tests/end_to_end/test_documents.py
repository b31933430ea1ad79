"""All documents of `specs/`, and those of many files and in JSON from end to end."""

import json

import pytest
from jsonschema import Draft202012Validator

from .servers import of_spec
from .upstream import Answer

DOCUMENTS = {
    "bookshop.yaml": 10,
    "clinic-v2.yaml": 10,
    "wire.yaml": 21,
    "bodies.yaml": 23,
    "answers.yaml": 22,
    "access.yaml": 25,
    "next.yaml": 10,
    "library/openapi.yaml": 7,
    "nightbus.json": 6,
}
"""Tools of each document: one for each operation that no extension hides."""


@pytest.fixture(scope="module", params=DOCUMENTS)
def each(generated, request):
    """A document, and its server."""
    return request.param, generated(request.param)


def test_tools_are_plain_and_in_order(each):
    for name, tool in each[1].tools.items():
        assert tool.description, name
        assert tool.title, name
        schema = tool.input_schema
        assert schema["type"] == "object", name
        assert not {"$ref", "oneOf", "anyOf", "allOf", "not"} & set(schema), name
        Draft202012Validator.check_schema(schema)
        reached = json.dumps(schema)
        for key in schema.get("$defs", {}):
            assert f'"#/$defs/{key}' in reached, (name, key)
        if tool.output_schema is not None:
            assert tool.output_schema["type"] == "object", name
            Draft202012Validator.check_schema(tool.output_schema)
    document, server = each
    listed = json.loads((server.folder / server.package / "tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == list(server.tools)
    assert len(listed) == DOCUMENTS[document]
    # `access.yaml` calls a DELETE harmless, hides two operations, and has a challenging scheme.
    document, server = each
    odd = document == "access.yaml"
    told = [("annotation", "/paths/~1berths/delete/x-mcp")] * 2
    told.append(("security-challenge", "/components/securitySchemes/captain"))
    warned = [found for found in server.summary["diagnostics"] if found["severity"] != "note"]
    assert [(found["code"], found["pointer"]) for found in warned] == (told if odd else [])
    skipped = [(entry["method"], entry["path"]) for entry in server.summary["skipped"]]
    assert skipped == ([("GET", "/berths/internal"), ("DELETE", "/ships")] if odd else [])


library = of_spec("library/openapi.yaml")


class TestManyFiles:
    def test_parameters_of_other_files(self, library):
        due = {"from": "2027-02-01", "to": None}
        call = library.call("listLoans", {"limit": 3, "after": 7, "due": due}, Answer.of([]))
        assert call.request.target == "/loans?limit=3&after=7&due%5Bfrom%5D=2027-02-01"
        assert "limit" in library.call("listLoans", {"limit": 51}).refused
        assert "after" in library.call("listLoans", {"after": 0}).refused

    def test_a_body_of_another_file(self, library):
        lent = {"book": "Low Water", "card": "R-0002", "desk": "B"}
        request = library.call("lend", lent, Answer.of({}, 201)).request
        assert (request.method, request.target) == ("POST", "/loans")
        assert request.json == lent
        assert "card" in library.call("lend", {**lent, "card": "0002"}).refused

    def test_paths_of_other_files(self, library):
        assert library.call("getLoan", {"loan": 3}).request.target == "/loans/3"
        request = library.call("renewLoan", {"loan": 3, "from": "2027-02-01", "to": None}).request
        assert (request.method, request.target) == ("POST", "/loans/3")
        assert request.json == {"from": "2027-02-01", "to": None}
        request = library.call("getReader", {"reader": "R-0001"}).request
        assert request.target == "/readers/R-0001"
        request = library.call("deskLoans", {"desk": "C", "limit": 1}, Answer.of([])).request
        assert request.target == "/desks/C/loans?limit=1"

    def test_read_only_across_files(self, library):
        assert set(library.arguments("addReader")) == {"card", "name"}

    def test_an_answer_that_refers_to_itself(self, library):
        reader = {"card": "R-0001", "name": "Ines Falk"}
        loan = {"id": 1, "book": "x", "reader": reader}
        said = {**loan, "id": 2, "before": {**loan, "before": None}}
        call = library.call("getLoan", {"loan": 2}, Answer.of(said))
        assert call.data == said
        assert len(call.result.content) == 1


buses = of_spec("nightbus.json")


class TestJsonDocument:
    def test_a_list_with_bars(self, buses):
        call = buses.call("listLines", {"weekday": ["fri", "sat"]}, Answer.of([{"id": "N4"}]))
        assert call.request.target == "/lines?weekday=fri%7Csat"
        assert call.data == {"result": [{"id": "N4"}]}

    def test_json_in_the_query(self, buses):
        near = {"lat": 54.125, "lon": -9}
        arguments = {"near": near, "at": "2027-02-01T01:15:00+01:00", "step_free": True}
        request = buses.call("nextDepartures", arguments, Answer.of({"departures": []})).request
        (name, text), *rest = request.query
        assert (name, json.loads(text)) == ("near", near)
        assert rest == [("at", "2027-02-01T01:15:00+01:00"), ("step_free", "true")]

    def test_a_shared_body(self, buses):
        stop = {"name": "Town Hall", "position": {"lat": 54, "lon": 10}, "roof": False}
        request = buses.call("moveStop", {"line": "N4", "index": 0, **stop}).request
        assert (request.method, request.target) == ("PUT", "/lines/N4/stops/0")
        assert request.json == stop
        assert "code" not in buses.arguments("moveStop")

    def test_null_in_an_enum(self, buses):
        base = {"id": "N4-0115", "minutes": 5}
        answer = Answer(b"", None, 204)
        call = buses.call("reportDelay", {**base, "reason": None}, answer)
        assert call.request.json == {"minutes": 5, "reason": None}
        assert buses.call("reportDelay", base, answer).request.json == {"minutes": 5}
        assert "reason" in buses.call("reportDelay", {**base, "reason": "tea"}).refused
        for minutes in (0, 90):
            assert "minutes" in buses.call("reportDelay", {**base, "minutes": minutes}).refused

    def test_a_pattern_in_the_path(self, buses):
        assert "line" in buses.call("getStop", {"line": "4N", "index": 0}).refused
