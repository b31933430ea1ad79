"""`next.yaml`: what OpenAPI 3.2 has more, called from end to end."""

import json
from base64 import b64decode
from urllib.parse import unquote

from mcp_types import ImageContent
from pictures import PNG

from .servers import of_spec
from .upstream import Answer

observatory = of_spec("next.yaml")


class TestThreeTwo:
    def test_query(self, observatory):
        arguments = {"constellation": "Lyra", "brighter_than": None}
        request = observatory.call("searchStars", arguments).request
        assert (request.method, request.target) == ("QUERY", "/stars")
        assert request.json == arguments
        hints = observatory.tools["searchStars"].annotations
        assert hints.read_only_hint is True

    def test_additional_operations(self, observatory):
        request = observatory.call("copyStars", {"to": "backup"}).request
        assert (request.method, request.target) == ("COPY", "/stars")
        assert request.json == {"to": "backup"}
        answer = Answer(b"", None, 204)
        request = observatory.call("linkStar", {"star": "Vega", "to": "a b"}, answer).request
        assert (request.method, request.target) == ("LINK", "/stars/Vega?to=a%20b")

    def test_the_whole_query_string_as_a_form(self, observatory):
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

    def test_the_whole_query_string_as_json(self, observatory):
        condition = {"above": 1.5, "names": ["a&b=c", "#?é+"]}
        request = observatory.call("findStars", {"condition": condition}).request
        path, _, query = request.target.partition("?")
        assert path == "/stars/find"
        assert json.loads(unquote(query)) == condition
        assert "#" not in query

    def test_cookies_that_are_not_escaped(self, observatory):
        request = observatory.call("myStars", {"observer": "a%20b", "groups": ["x", "y"]}).request
        assert request.header("Cookie") == "observer=a%20b; groups=x; groups=y"

    def test_lines_of_json(self, observatory):
        lines = b'{"star": "Vega", "at": "t", "seen": null}\n{"star": "Deneb", "at": "u"}\n'
        call = observatory.call("readObservations", {}, Answer(lines, "application/jsonl"))
        assert call.request.header("Accept") == "application/jsonl, application/json;q=0.1"
        assert not call.result.is_error
        assert '"Vega"' in call.text
        assert '"Deneb"' in call.text

    def test_lines_of_json_as_body(self, observatory):
        sent = [{"star": "Vega", "at": "2027-02-01T00:00:00Z", "seen": None}]
        sent.append({"star": "Déneb", "at": "2027-02-01T01:00:00Z"})
        answer = Answer(b"", None, 202)
        request = observatory.call("sendObservations", {"body": sent}, answer).request
        assert request.header("Content-Type") == "application/jsonl"
        assert [json.loads(line) for line in request.body.splitlines()] == sent

    def test_events(self, observatory):
        events = b"event: flare\ndata: Vega\n\ndata: over\n\n"
        call = observatory.call("readAlerts", {}, Answer(events, "text/event-stream"))
        assert not call.result.is_error
        assert "flare" in call.text
        assert "Vega" in call.text

    def test_parts(self, observatory):
        body = (
            b"--p\r\nContent-Type: application/json\r\n\r\n{}\r\n"
            b"--p\r\nContent-Type: image/png\r\n\r\n" + PNG + b"\r\n--p--\r\n"
        )
        answer = Answer(body, 'multipart/mixed; boundary="p"')
        call = observatory.call("readPlates", {}, answer)
        assert b64decode(call.block(ImageContent).data) == PNG
