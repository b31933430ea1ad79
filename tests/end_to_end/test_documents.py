"""The other documents of `specs/`: a shop, OpenAPI 2.0 and 3.2, many files, JSON; and all."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from mcp_types import EmbeddedResource, ImageContent

from .servers import Server
from .upstream import Answer, Part

PDF = b"%PDF-1.7\r\n\0\xff"
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


@pytest.mark.parametrize(("document", "count"), DOCUMENTS.items())
def test_every_operation_is_a_tool(
    generated: Callable[[str], Server], document: str, count: int
) -> None:
    assert len(generated(document).tools) == count


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_tool_is_described_and_plain(
    generated: Callable[[str], Server], document: str
) -> None:
    for name, tool in generated(document).tools.items():
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


@pytest.mark.parametrize("document", DOCUMENTS)
def test_tools_are_listed_in_document_order_from_one_file(
    generated: Callable[[str], Server], document: str
) -> None:
    server = generated(document)
    listed = json.loads((server.folder / server.package / "tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == list(server.tools)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_only_what_is_odd_is_reported(generated: Callable[[str], Server], document: str) -> None:
    """`access.yaml` calls a DELETE harmless and read-only, and hides two operations."""
    summary = generated(document).summary
    odd = document == "access.yaml"
    warned = [entry for entry in summary["diagnostics"] if entry["severity"] != "note"]
    found = [(entry["code"], entry["pointer"]) for entry in warned]
    assert found == [("annotation", "/paths/~1berths/delete/x-mcp")] * (2 if odd else 0)
    skipped = [(entry["method"], entry["path"]) for entry in summary["skipped"]]
    assert skipped == ([("GET", "/berths/internal"), ("DELETE", "/ships")] if odd else [])


@pytest.fixture(scope="module")
def shop(generated: Callable[[str], Server]) -> Server:
    return generated("bookshop.yaml")


@pytest.fixture
def shop_key(shop: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(shop.api.security_schemes["shop_key"].env, "k1")


@pytest.mark.usefixtures("shop_key")
class TestBookshop:
    def test_list(self, shop: Server) -> None:
        arguments = {
            "filter": {"language": "en", "condition": "used", "max_price": 900},
            "genre": ["poetry", "travel"],
            "sort": "-price",
            "limit": 5,
            "cursor": "a=b&c",
        }
        page: dict[str, Any] = {"items": [], "next": None}
        call = shop.call("listBooks", arguments, Answer.of(page))
        assert call.request.method == "GET"
        assert call.request.target == (
            "/books?filter%5Blanguage%5D=en&filter%5Bcondition%5D=used&filter%5Bmax_price%5D=900"
            "&genre=poetry&genre=travel&sort=-price&limit=5&cursor=a%3Db%26c"
        )
        assert call.request.header("X-Shop-Key") == "k1"
        assert call.request.header("Accept") == "application/json"
        assert call.request.body == b""
        assert call.data == page

    def test_defaults_are_left_to_the_api(self, shop: Server) -> None:
        assert shop.call("listBooks").request.target == "/books"
        assert shop.arguments("listBooks")["limit"]["default"] == 20

    def test_add(self, shop: Server) -> None:
        book = {"title": "The Salt Road", "price": 850, "condition": "used", "subtitle": None}
        call = shop.call("addBook", book, Answer.of({**book, "id": 17}, 201))
        assert (call.request.method, call.request.target) == ("POST", "/books")
        assert call.request.json == book
        assert call.data["id"] == 17

    def test_change(self, shop: Server) -> None:
        call = shop.call("updateBook", {"book_id": 17, "notify": False, "subtitle": None})
        assert (call.request.method, call.request.target) == ("PATCH", "/books/17?notify=false")
        assert call.request.json == {"subtitle": None}
        assert shop.call("updateBook", {"book_id": 17}).request.json == {}

    def test_an_older_dialect_is_rewritten(self, shop: Server) -> None:
        price = shop.arguments("updateBook")["price"]
        assert price["exclusiveMinimum"] == 0
        assert "minimum" not in price
        assert "price" in shop.call("updateBook", {"book_id": 17, "price": 0}).refused
        assert "nullable" not in json.dumps(shop.tools["updateBook"].input_schema)

    def test_order(self, shop: Server) -> None:
        arguments = {
            "Idempotency-Key": "k-1",
            "customer": "reader@example.org",
            "lines": [{"book_id": 17, "copies": 2}],
            "message": None,
        }
        request = shop.call("placeOrder", arguments).request
        assert request.header("Idempotency-Key") == "k-1"
        assert request.json == {key: arguments[key] for key in ("customer", "lines", "message")}

    def test_remove(self, shop: Server) -> None:
        call = shop.call("removeBook", {"book_id": 17}, Answer(b"", None, 204))
        assert (call.request.method, call.request.target) == ("DELETE", "/books/17")

    def test_cover(self, shop: Server) -> None:
        call = shop.call("getCover", {"book_id": 17, "width": 64}, Answer(PDF, "image/png"))
        assert call.request.target == "/books/17/cover?width=64"
        assert call.request.header("Accept") == "image/png, application/json;q=0.1"
        assert b64decode(call.block(ImageContent).data) == PDF

    def test_a_missing_book(self, shop: Server) -> None:
        answer = Answer.of({"message": "No book 99."}, 404)
        failed = shop.call("getBook", {"book_id": 99}, answer).failed
        assert "404" in failed
        assert "No book 99." in failed

    @pytest.mark.parametrize(
        ("arguments", "named"),
        [
            ({"book_id": "seventeen"}, "book_id"),
            ({"book_id": 0}, "book_id"),
            ({}, "book_id"),
            ({"book_id": 1, "bok_id": 2}, "bok_id"),
        ],
    )
    def test_wrong_arguments(self, shop: Server, arguments: dict[str, Any], named: str) -> None:
        assert named in shop.call("getBook", arguments).refused


def test_a_missing_key_names_its_variable(shop: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = shop.api.security_schemes["shop_key"].env
    monkeypatch.delenv(variable, raising=False)
    assert variable in shop.call("getBook", {"book_id": 1}).refused


@pytest.fixture
def clinic(generated: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    server = generated("clinic-v2.yaml")
    schemes = server.api.security_schemes
    monkeypatch.setenv(schemes["front_desk"].username_env, "anna")
    monkeypatch.setenv(schemes["front_desk"].password_env, "p:w")
    monkeypatch.setenv(schemes["ward_key"].env, "w1")
    monkeypatch.setenv(schemes["staff"].env, "t1")
    monkeypatch.setenv(schemes["machines"].env, "t2")
    return server


class TestSwagger:
    def test_collection_formats(self, clinic: Server) -> None:
        arguments = {
            "day": "2027-02-01",
            "doctors": ["ab", "c,d"],
            "rooms": ["1", "2"],
            "codes": ["x", "y"],
            "states": ["booked", "done"],
            "patient": [1, 2],
            "plain": ["p", "q"],
            "include_cancelled": False,
            "note": "",
            "X-Fields": ["id", "at"],
        }
        request = clinic.call("findAppointments", arguments, Answer.of([])).request
        assert request.target == (
            "/appointments?day=2027-02-01&doctors=ab,c%2Cd&rooms=1%202&codes=x%09y"
            "&states=booked%7Cdone&patient=1&patient=2&plain=p,q&include_cancelled=false&note="
        )
        assert request.header("X-Fields") == "id|at"
        assert request.header("Authorization") == "Basic " + b64encode(b"anna:p:w").decode()

    def test_a_list_in_the_path(self, clinic: Server) -> None:
        request = clinic.call("freeRooms", {"rooms": ["A 1", "B/2"]}, Answer.of([])).request
        assert request.path == "/rooms/A%201%7CB%2F2/free"

    def test_a_body(self, clinic: Server) -> None:
        appointment = {"patient_id": 12, "at": "2027-02-01T09:30:00Z", "room": None}
        call = clinic.call("bookAppointment", appointment, Answer.of({"id": 90}, 201))
        assert call.request.json == appointment
        assert call.request.header("Content-Type") == "application/json"
        assert "id" not in clinic.arguments("bookAppointment")

    def test_a_form(self, clinic: Server) -> None:
        arguments = {
            "patient_id": 12,
            "given": True,
            "topics": ["a b", "c"],
            "witnesses": ["x", "y"],
            "remark": "ü&",
        }
        call = clinic.call("recordConsent", arguments, Answer(b"", None, 204))
        assert call.request.target == "/patients/12/consent"
        assert call.request.form == [
            ("given", "true"),
            ("topics", "a b,c"),
            ("witnesses", "x"),
            ("witnesses", "y"),
            ("remark", "ü&"),
        ]

    def test_a_file(self, clinic: Server) -> None:
        arguments = {"patient_id": 12, "scan": b64encode(PDF).decode(), "title": "T", "pages": 2}
        call = clinic.call("fileDocument", arguments, Answer.of({"document_id": 1}, 201))
        parts = {part.name: part for part in call.request.parts}
        assert set(parts) == {"scan", "title", "pages"}
        assert parts["scan"].content == PDF
        assert parts["scan"].filename
        assert (parts["title"].content, parts["pages"].content) == (b"T", b"2")
        assert isinstance(parts["title"], Part)
        assert "pages" in clinic.call("fileDocument", {**arguments, "pages": 1}).refused

    def test_a_file_as_answer(self, clinic: Server) -> None:
        arguments = {"patient_id": 12, "document_id": 3}
        call = clinic.call("readDocument", arguments, Answer(PDF, "application/pdf"))
        resource = call.block(EmbeddedResource).resource
        assert (b64decode(resource.blob), resource.mime_type) == (PDF, "application/pdf")
        assert call.request.header("Accept") == "application/pdf, application/json;q=0.1"
        assert call.request.target == "/patients/12/documents/3"

    def test_text_and_two_credentials(self, clinic: Server) -> None:
        call = clinic.call("getResult", {"sample": "s/1"}, Answer(b"negative", "text/plain"))
        assert call.texts == ["negative"]
        assert call.request.target == "/results/s%2F1?ward_key=w1"
        assert call.request.header("Authorization") == "Bearer t1"
        assert call.request.header("Accept") == "text/plain, application/json;q=0.1"

    def test_text_as_body(self, clinic: Server) -> None:
        body = next(name for name in clinic.arguments("enterResult") if name != "sample")
        call = clinic.call("enterResult", {"sample": "s", body: "Öl: 3"}, Answer.of({"length": 5}))
        assert call.request.body == "Öl: 3".encode()
        assert (call.request.header("Content-Type") or "").startswith("text/plain")
        assert call.data == {"length": 5}

    def test_nobody_need_sign_in_to_ask_for_health(self, clinic: Server) -> None:
        request = clinic.call("health", {}, Answer(b"", None)).request
        assert request.header("Authorization") is None
        assert request.target == "/health"

    def test_where_it_is(self, clinic: Server) -> None:
        assert [server.url for server in clinic.api.servers] == ["https://api.clinic.example/v2"]


@pytest.fixture(scope="module")
def observatory(generated: Callable[[str], Server]) -> Server:
    return generated("next.yaml")


class TestThreeTwo:
    def test_query(self, observatory: Server) -> None:
        arguments = {"constellation": "Lyra", "brighter_than": None}
        request = observatory.call("searchStars", arguments).request
        assert (request.method, request.target) == ("QUERY", "/stars")
        assert request.json == arguments
        hints = observatory.tools["searchStars"].annotations
        assert hints is not None
        assert hints.read_only_hint is True

    def test_additional_operations(self, observatory: Server) -> None:
        request = observatory.call("copyStars", {"to": "backup"}).request
        assert (request.method, request.target) == ("COPY", "/stars")
        assert request.json == {"to": "backup"}
        answer = Answer(b"", None, 204)
        request = observatory.call("linkStar", {"star": "Vega", "to": "a b"}, answer).request
        assert (request.method, request.target) == ("LINK", "/stars/Vega?to=a%20b")

    def test_the_whole_query_string_as_a_form(self, observatory: Server) -> None:
        selection = {"name": "α Lyr & co", "catalogue": ["HR", "HD"], "limit": 3}
        request = observatory.call("listStars", {"selection": selection}).request
        pairs = [(name, value.replace("+", " ")) for name, value in request.query]
        assert pairs == [
            ("name", "α Lyr & co"),
            ("catalogue", "HR"),
            ("catalogue", "HD"),
            ("limit", "3"),
        ]
        assert observatory.call("listStars").request.target == "/stars"

    def test_the_whole_query_string_as_json(self, observatory: Server) -> None:
        condition = {"above": 1.5, "names": ["a&b=c", "#?é+"]}
        request = observatory.call("findStars", {"condition": condition}).request
        path, _, query = request.target.partition("?")
        assert path == "/stars/find"
        assert json.loads(unquote(query)) == condition
        assert "#" not in query

    def test_cookies_that_are_not_escaped(self, observatory: Server) -> None:
        request = observatory.call("myStars", {"observer": "a%20b", "groups": ["x", "y"]}).request
        assert request.header("Cookie") == "observer=a%20b; groups=x; groups=y"

    def test_lines_of_json(self, observatory: Server) -> None:
        lines = b'{"star": "Vega", "at": "t", "seen": null}\n{"star": "Deneb", "at": "u"}\n'
        call = observatory.call("readObservations", {}, Answer(lines, "application/jsonl"))
        assert call.request.header("Accept") == "application/jsonl, application/json;q=0.1"
        assert not call.result.is_error
        assert '"Vega"' in call.text
        assert '"Deneb"' in call.text

    def test_lines_of_json_as_body(self, observatory: Server) -> None:
        sent = [{"star": "Vega", "at": "2027-02-01T00:00:00Z", "seen": None}]
        sent.append({"star": "Déneb", "at": "2027-02-01T01:00:00Z"})
        answer = Answer(b"", None, 202)
        request = observatory.call("sendObservations", {"body": sent}, answer).request
        assert request.header("Content-Type") == "application/jsonl"
        assert [json.loads(line) for line in request.body.splitlines()] == sent

    def test_events(self, observatory: Server) -> None:
        events = b"event: flare\ndata: Vega\n\ndata: over\n\n"
        call = observatory.call("readAlerts", {}, Answer(events, "text/event-stream"))
        assert not call.result.is_error
        assert "flare" in call.text
        assert "Vega" in call.text

    def test_parts(self, observatory: Server) -> None:
        body = (
            b"--p\r\nContent-Type: application/json\r\n\r\n{}\r\n"
            b"--p\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n--p--\r\n"
        )
        answer = Answer(body, 'multipart/mixed; boundary="p"')
        call = observatory.call("readPlates", {}, answer)
        assert b64decode(call.block(ImageContent).data) == b"\x89PNG"


@pytest.fixture(scope="module")
def library(generated: Callable[[str], Server]) -> Server:
    return generated("library/openapi.yaml")


class TestManyFiles:
    def test_parameters_of_other_files(self, library: Server) -> None:
        due = {"from": "2027-02-01", "to": None}
        call = library.call("listLoans", {"limit": 3, "after": 7, "due": due}, Answer.of([]))
        assert call.request.target == "/loans?limit=3&after=7&due%5Bfrom%5D=2027-02-01"
        assert "limit" in library.call("listLoans", {"limit": 51}).refused
        assert "after" in library.call("listLoans", {"after": 0}).refused

    def test_a_body_of_another_file(self, library: Server) -> None:
        lent = {"book": "Low Water", "card": "R-0002", "desk": "B"}
        request = library.call("lend", lent, Answer.of({}, 201)).request
        assert (request.method, request.target) == ("POST", "/loans")
        assert request.json == lent
        assert "card" in library.call("lend", {**lent, "card": "0002"}).refused

    def test_paths_of_other_files(self, library: Server) -> None:
        assert library.call("getLoan", {"loan": 3}).request.target == "/loans/3"
        request = library.call("renewLoan", {"loan": 3, "from": "2027-02-01", "to": None}).request
        assert (request.method, request.target) == ("POST", "/loans/3")
        assert request.json == {"from": "2027-02-01", "to": None}
        request = library.call("getReader", {"reader": "R-0001"}).request
        assert request.target == "/readers/R-0001"
        request = library.call("deskLoans", {"desk": "C", "limit": 1}, Answer.of([])).request
        assert request.target == "/desks/C/loans?limit=1"

    def test_read_only_across_files(self, library: Server) -> None:
        assert set(library.arguments("addReader")) == {"card", "name"}

    def test_an_answer_that_refers_to_itself(self, library: Server) -> None:
        reader = {"card": "R-0001", "name": "Ines Falk"}
        loan = {"id": 1, "book": "x", "reader": reader}
        said = {**loan, "id": 2, "before": {**loan, "before": None}}
        call = library.call("getLoan", {"loan": 2}, Answer.of(said))
        assert call.data == said
        assert len(call.result.content) == 1


@pytest.fixture(scope="module")
def buses(generated: Callable[[str], Server]) -> Server:
    return generated("nightbus.json")


class TestJsonDocument:
    def test_a_list_with_bars(self, buses: Server) -> None:
        call = buses.call("listLines", {"weekday": ["fri", "sat"]}, Answer.of([{"id": "N4"}]))
        assert call.request.target == "/lines?weekday=fri%7Csat"
        assert call.data == {"result": [{"id": "N4"}]}

    def test_json_in_the_query(self, buses: Server) -> None:
        near = {"lat": 54.125, "lon": -9}
        arguments = {"near": near, "at": "2027-02-01T01:15:00+01:00", "step_free": True}
        request = buses.call("nextDepartures", arguments, Answer.of({"departures": []})).request
        (name, text), *rest = request.query
        assert (name, json.loads(text)) == ("near", near)
        assert rest == [("at", "2027-02-01T01:15:00+01:00"), ("step_free", "true")]

    def test_a_shared_body(self, buses: Server) -> None:
        stop = {"name": "Town Hall", "position": {"lat": 54, "lon": 10}, "roof": False}
        request = buses.call("moveStop", {"line": "N4", "index": 0, **stop}).request
        assert (request.method, request.target) == ("PUT", "/lines/N4/stops/0")
        assert request.json == stop
        assert "code" not in buses.arguments("moveStop")

    def test_null_in_an_enum(self, buses: Server) -> None:
        base = {"id": "N4-0115", "minutes": 5}
        answer = Answer(b"", None, 204)
        call = buses.call("reportDelay", {**base, "reason": None}, answer)
        assert call.request.json == {"minutes": 5, "reason": None}
        assert buses.call("reportDelay", base, answer).request.json == {"minutes": 5}
        assert "reason" in buses.call("reportDelay", {**base, "reason": "tea"}).refused
        for minutes in (0, 90):
            assert "minutes" in buses.call("reportDelay", {**base, "minutes": minutes}).refused

    def test_a_pattern_in_the_path(self, buses: Server) -> None:
        assert "line" in buses.call("getStop", {"line": "4N", "index": 0}).refused
