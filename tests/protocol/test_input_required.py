"""What the user is asked in the middle of a request (basic/patterns/mrtr), and who may answer."""

import time
from typing import Any

import pytest
from end_to_end.servers import Server
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import in_thread

from .wire import OF_OLDER, Http, Lines, Message, call, request

Client = Lines | Http

ASKING = {"elicitation": {"form": {}}}
YES = {"action": "accept", "content": {"ok": True}}
TOOL = "test_input_required_result_request_state"
OTHER = "test_input_required_result_tampered_state"


def asked(client: Client) -> Message:
    """The question that a call of the tool has."""
    result: Message = client.ask(call(TOOL, capabilities=ASKING))["result"]
    assert result["resultType"] == "input_required"
    return result


def again(question: Message, answers: Any, tool: str = TOOL, **more: Any) -> Message:
    """The call once more, with its state and answers."""
    repeated = call(tool, capabilities=ASKING, **more)
    repeated["params"] |= {"requestState": question["requestState"], "inputResponses": answers}
    return repeated


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": TOOL, "arguments": {}}),
        ("prompts/get", {"name": "test_input_required_result_prompt"}),
    ],
)
def test_a_question_is_a_request_under_a_key_of_its_own(
    current: Client, method: str, params: dict[str, Any]
) -> None:
    result = current.ask(request(method, params, capabilities=ASKING))["result"]
    assert result["resultType"] == "input_required"
    assert isinstance(result["requestState"], str)
    ((key, question),) = result["inputRequests"].items()
    assert question["method"] == "elicitation/create"
    assert question["params"].get("mode", "form") == "form"
    assert question["params"]["message"]
    assert question["params"]["requestedSchema"]["type"] == "object"
    answers = {key: {"action": "accept", "content": {"ok": True, "context": "tea"}}}
    more = {"requestState": result["requestState"], "inputResponses": answers}
    done = current.ask(request(method, params | more, capabilities=ASKING))["result"]
    assert done["resultType"] == "complete"


@pytest.mark.parametrize(
    "capabilities", [{}, {"elicitation": {"url": {}}}, {"sampling": {}, "roots": {}}]
)
def test_who_has_no_forms_is_not_asked(current: Client, capabilities: dict[str, Any]) -> None:
    error = current.ask(call(TOOL, capabilities=capabilities))["error"]
    assert error["code"] == -32021
    assert error["data"] == {"requiredCapabilities": ASKING}


SAMPLING: dict[str, Any] = {"sampling": {}}
ROOTS: dict[str, Any] = {"roots": {}}


@pytest.mark.parametrize(
    ("tool", "capabilities", "missing"),
    [
        ("elicitation", {}, ASKING),
        ("elicitation", {"elicitation": {"url": {}}}, ASKING),
        ("elicitation", {"elicitation": {}}, {}),
        ("sampling", ASKING, SAMPLING),
        ("sampling", SAMPLING, {}),
        ("list_roots", SAMPLING, ROOTS),
        ("list_roots", ROOTS, {}),
        ("multiple_inputs", ROOTS, ASKING | SAMPLING),
        ("multiple_inputs", ASKING | SAMPLING | ROOTS, {}),
    ],
)
def test_a_handler_asks_a_client_only_what_it_can_answer(
    current: Client, tool: str, capabilities: dict[str, Any], missing: dict[str, Any]
) -> None:
    """Where it makes the result itself, too."""
    answer = current.ask(call(f"test_input_required_result_{tool}", capabilities=capabilities))
    if missing:
        assert answer["error"]["code"] == -32021
        assert answer["error"]["data"] == {"requiredCapabilities": missing}
    else:
        assert answer["result"]["resultType"] == "input_required"


@pytest.mark.parametrize("client", OF_OLDER, indirect=True)
def test_an_older_client_is_told_that_it_cannot_be_asked_so(client: Client) -> None:
    asked = call("test_input_required_result_multiple_inputs", client.revision)
    error = client.ask(asked)["error"]
    assert error["code"] == -32603
    assert "before 2026-07-28" in error["message"]


def test_a_state_that_was_altered_is_refused(current: Client) -> None:
    question = asked(current)
    state = question["requestState"]
    middle = len(state) // 2
    other = "A" if state[middle] != "A" else "B"
    for forged in (state[:middle] + other + state[middle + 1 :], state[:-4], "x", '{"answers":{}}'):
        error = current.ask(again({"requestState": forged}, {"confirm": YES}))["error"]
        assert error["code"] == -32602
    whole = current.ask(again(question, {"confirm": YES}))["result"]
    assert whole["content"][0]["text"] == "state-ok: accept"


def test_a_state_is_good_for_its_own_request_only(current: Client) -> None:
    question = asked(current)
    error = current.ask(again(question, {"confirm": YES}, OTHER))["error"]
    assert error["code"] == -32602
    error = current.ask(again(question, {"confirm": YES}, arguments={"more": 1}))["error"]
    assert error["code"] == -32602


def test_a_state_is_over_after_some_minutes(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    http = Http(base)
    question = asked(http)
    later = time.time() + 601
    with monkeypatch.context() as patch:
        patch.setattr("mcp.server.request_state.time.time", lambda: later)
        assert http.ask(again(question, {"confirm": YES}))["error"]["code"] == -32602
    assert "result" in http.ask(again(question, {"confirm": YES}))


def test_a_state_is_good_for_its_own_caller_only(server: Server) -> None:
    issuer = Issuer({"ann": [], "bob": []})
    with in_thread(issuer.app) as issuer.url:
        tokens = [f"Bearer {issuer.token(who)}" for who in ("ann", "bob")]
        settings = server.module("_runtime").HttpSettings(
            http_issuer=issuer.url, http_resource=RESOURCE
        )
        with in_thread(server.module("server").create_app(settings)) as base:
            ann, bob = (Http(base, Authorization=token) for token in tokens)
            question = asked(ann)
            assert bob.ask(again(question, {"confirm": YES}))["error"]["code"] == -32602
            assert "result" in ann.ask(again(question, {"confirm": YES}))


def test_answers_that_nobody_asked_for_are_ignored(current: Client) -> None:
    answers = {"confirm": YES, "more": YES}
    done = current.ask(again(asked(current), answers))["result"]
    assert done["content"][0]["text"] == "state-ok: accept"


@pytest.mark.parametrize("answers", [{}, {"more": YES}])
def test_what_was_not_answered_is_asked_again(current: Client, answers: Any) -> None:
    question = asked(current)
    repeated = current.ask(again(question, answers))["result"]
    assert repeated["resultType"] == "input_required"
    assert repeated["inputRequests"] == question["inputRequests"]


@pytest.mark.parametrize("answers", [7, [YES], {"confirm": 7}, {"confirm": {"action": "maybe"}}])
def test_answers_that_are_none_are_an_error(current: Client, answers: Any) -> None:
    assert current.ask(again(asked(current), answers))["error"]["code"] == -32602


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_user_may_decline(current: Client, action: str) -> None:
    done = current.ask(again(asked(current), {"confirm": {"action": action}}))["result"]
    assert done["content"][0]["text"] == f"state-ok: {action}"
