"""Which requests the endpoint answers, in what form, with sessions and without."""

import json
from types import ModuleType
from typing import Any

import httpx2
import pytest
from tables import table

from mcpgen.runtime.parts.http.negotiation import quality
from mcpgen.runtime.parts.http.settings import HttpSettings

from ...serving import HEADERS, INITIALIZE, current, in_thread

PACKAGE = "shop_at_endpoint_mcp"
JSON, STREAM = "application/json", "text/event-stream"
OLDER = {"MCP-Protocol-Version": "2025-11-25"}


@pytest.fixture(scope="module", autouse=True)
def key():
    """A credential is set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOP_KEY", "sk-SENTINEL")
        yield


def served(shop: ModuleType, **settings: Any) -> Any:
    """The server in front of an API."""
    api = httpx2.MockTransport(lambda _: httpx2.Response(200, json={"name": "Rex"}))
    return in_thread(shop.create_app(HttpSettings(**settings), transport=api))


@pytest.fixture(scope="module")
def bases(shop):
    """The server with sessions, without, and without any in plain JSON."""
    with (
        served(shop, http_stateless=False) as kept,
        served(shop, http_stateless=True) as none,
        served(shop, http_stateless=False, http_json=True) as plain,
    ):
        yield {"sessions": kept, "none": none, "plain": plain}


def asked(base: str, era: str, tool: str, accept: str | None, **more: str) -> httpx2.Response:
    """The answer to a call with a progress token; None: there is no Accept header."""
    message, headers = current(tool, {"petId": 7} if tool == "getPet" else {})
    if era == "older":
        message["params"].pop("_meta")
        headers = HEADERS | OLDER
        opened = httpx2.post(f"{base}/mcp", json=INITIALIZE, headers=HEADERS)
        if "mcp-session-id" in opened.headers:
            headers |= {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    message["params"].setdefault("_meta", {})["progressToken"] = "t"
    with httpx2.Client(timeout=20) as client:
        sent = headers | {"Accept": accept or ""} | more
        request = client.build_request("POST", f"{base}/mcp", json=message, headers=sent)
        if accept is None:
            del request.headers["accept"]
        return client.send(request)


def messages(answer: httpx2.Response) -> list[dict[str, Any]]:
    """What an answer says."""
    if answer.headers["content-type"].startswith(JSON):
        return [answer.json()]
    lines = (line.partition("data:")[2].strip() for line in answer.text.splitlines())
    return [json.loads(line) for line in lines if line]


FORMS: list[tuple[str | None, str]] = [
    (f"{JSON}, {STREAM}", "both"),
    (None, "both"),
    ("*/*", "both"),
    ("Application/*; q=0.5, text/*", "both"),
    (JSON, "json"),
    (f"{JSON}, {STREAM};q=0", "json"),
    (STREAM, "stream"),
    (f"{JSON};q=0, */*", "stream"),
]


@pytest.mark.parametrize("kind", ["sessions", "none", "plain"])
@pytest.mark.parametrize("era", ["older", "2026-07-28"])
@pytest.mark.parametrize(("accept", "takes"), FORMS)
def test_an_answer_has_the_form_that_is_taken(bases, kind, era, accept, takes):
    """JSON for who takes only that, a stream likewise; who takes both is told of the progress."""
    for tool, tells in (("getPet", False), ("state", True)):
        answer = asked(bases[kind], era, tool, accept)
        assert answer.status_code == 200, answer.text
        is_plain = takes == "json" or (takes == "both" and kind == "plain" and era == "older")
        is_stream = takes == "stream" or tells or (kind == "sessions" and era == "older")
        is_stream = is_stream and not is_plain
        assert answer.headers["content-type"].partition(";")[0] == (STREAM if is_stream else JSON)
        *told, last = messages(answer)
        assert "structuredContent" in last["result"]
        assert [each["method"] for each in told] == ["notifications/progress"] * (
            tells and is_stream
        )
        if not is_stream:
            assert int(answer.headers["content-length"]) == len(answer.content)


@pytest.mark.parametrize("kind", ["sessions", "none"])
@pytest.mark.parametrize("era", ["older", "2026-07-28"])
def test_what_can_not_be_given_is_not_acceptable(bases, kind, era):
    for accept in ("text/plain", f"{JSON};q=0", "image/*"):
        assert asked(bases[kind], era, "getPet", accept).status_code == 406


@pytest.mark.parametrize("kind", ["sessions", "none"])
@pytest.mark.parametrize("era", ["older", "2026-07-28"])
def test_the_type_of_a_request_has_no_case(bases, kind, era):
    for name, status in (
        ("Application/JSON", 200),
        ("application/json; Charset=UTF-8", 200),
        ("text/plain", 415),
        ("application/jsonp", 415),
    ):
        answer = asked(bases[kind], era, "getPet", "*/*", **{"Content-Type": name})
        assert answer.status_code == status


def test_a_subscription_is_a_stream_or_nothing(bases):
    message, headers = current("", {})
    message |= {"method": "subscriptions/listen"}
    message["params"] = {"_meta": message["params"]["_meta"], "notifications": {}}
    sent = headers | {"Mcp-Method": "subscriptions/listen", "Accept": JSON}
    assert httpx2.post(f"{bases['none']}/mcp", json=message, headers=sent).status_code == 406


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_without_sessions_there_is_only_post(bases, method):
    for own in ({}, {"Mcp-Session-Id": "of-before"}, OLDER, {"MCP-Protocol-Version": "2026-07-28"}):
        answer = httpx2.request(method, f"{bases['none']}/mcp", headers={"Accept": STREAM} | own)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    kept = httpx2.request(method, f"{bases['sessions']}/mcp", headers={"Accept": STREAM})
    assert kept.status_code == (400 if method in ("GET", "DELETE") else 405)


def test_without_sessions_a_client_gets_none_and_one_of_before_is_served(bases):
    for own in ({}, {"Mcp-Session-Id": "of-before"}):
        opened = httpx2.post(f"{bases['none']}/mcp", json=INITIALIZE, headers=HEADERS | own)
        assert "mcp-session-id" not in opened.headers
        assert opened.json()["result"]["protocolVersion"] == "2025-11-25"
        assert opened.json()["result"]["serverInfo"]["title"] == "The shop"
        answer = asked(bases["none"], "older", "getPet", "*/*", **own)
        assert answer.json()["result"]["structuredContent"] == {"name": "Rex"}
        said = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        accepted = httpx2.post(f"{bases['none']}/mcp", json=said, headers=HEADERS | own)
        assert (accepted.status_code, accepted.content) == (202, b"")


@table(
    "accept, media_type, wanted",
    ("", "text/html", 1.0),
    ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html", 1.0),
    ("text/html,application/xhtml+xml,*/*;q=0.8", JSON, 0.8),
    ("*/*, application/json;q=0", JSON, 0.0),
    ("application/*;q=0.1, */*", JSON, 0.1),
    ("application/json; charset=utf-8; q=0.3", JSON, 0.3),
    ("application/json;q=much", JSON, 1.0),
    ("text/html, image/gif, *; q=.2", JSON, 0.2),
    ("application/xml", JSON, 0.0),
)
def test_how_much_a_type_is_wanted(accept, media_type, wanted):
    assert quality(accept, media_type) == wanted
