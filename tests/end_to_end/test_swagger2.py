"""`clinic-v2.yaml`: OpenAPI 2.0, called from end to end."""

from base64 import b64decode, b64encode

import pytest
from mcp_types import EmbeddedResource

from .upstream import Answer, Part

PDF = b"%PDF-1.7\r\n\0\xff"


@pytest.fixture
def clinic(generated, monkeypatch):
    server = generated("clinic-v2.yaml")
    schemes = server.api.security_schemes
    monkeypatch.setenv(schemes["front_desk"].username_env, "anna")
    monkeypatch.setenv(schemes["front_desk"].password_env, "p:w")
    monkeypatch.setenv(schemes["ward_key"].env, "w1")
    monkeypatch.setenv(schemes["staff"].env, "t1")
    monkeypatch.setenv(schemes["machines"].env, "t2")
    return server


class TestSwagger:
    def test_collection_formats(self, clinic):
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

    def test_a_list_in_the_path(self, clinic):
        request = clinic.call("freeRooms", {"rooms": ["A 1", "B/2"]}, Answer.of([])).request
        assert request.path == "/rooms/A%201%7CB%2F2/free"

    def test_a_form(self, clinic):
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

    def test_a_file(self, clinic):
        arguments = {"patient_id": 12, "scan": b64encode(PDF).decode(), "title": "T", "pages": 2}
        call = clinic.call("fileDocument", arguments, Answer.of({"document_id": 1}, 201))
        parts = {part.name: part for part in call.request.parts}
        assert set(parts) == {"scan", "title", "pages"}
        assert parts["scan"].content == PDF
        assert parts["scan"].filename
        assert (parts["title"].content, parts["pages"].content) == (b"T", b"2")
        assert isinstance(parts["title"], Part)
        assert "pages" in clinic.call("fileDocument", {**arguments, "pages": 1}).refused

    def test_a_file_as_answer(self, clinic):
        arguments = {"patient_id": 12, "document_id": 3}
        call = clinic.call("readDocument", arguments, Answer(PDF, "application/pdf"))
        resource = call.block(EmbeddedResource).resource
        assert (b64decode(resource.blob), resource.mime_type) == (PDF, "application/pdf")
        assert call.request.header("Accept") == "application/pdf, application/json;q=0.1"
        assert call.request.target == "/patients/12/documents/3"

    def test_text_and_two_credentials(self, clinic):
        call = clinic.call("getResult", {"sample": "s/1"}, Answer(b"negative", "text/plain"))
        assert call.texts == ["negative"]
        assert call.request.target == "/results/s%2F1?ward_key=w1"
        assert call.request.header("Authorization") == "Bearer t1"
        assert call.request.header("Accept") == "text/plain, application/json;q=0.1"

    def test_text_as_body(self, clinic):
        body = next(name for name in clinic.arguments("enterResult") if name != "sample")
        call = clinic.call("enterResult", {"sample": "s", body: "Öl: 3"}, Answer.of({"length": 5}))
        assert call.request.body == "Öl: 3".encode()
        assert (call.request.header("Content-Type") or "").startswith("text/plain")
        assert call.data == {"length": 5}
