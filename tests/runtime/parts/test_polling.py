"""How an operation that the API finishes later is followed, and what an agent is told of it."""

import json
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiError, ApiKey, OAuth2, Response, ServerUrl, Settings, ToolError
from mcpgen.runtime.parts.polling import Poll
from mcpgen.runtime.parts.shaping import Shape

from ..support import HOME, client

ACCEPTED = httpx2.Response(202, headers={"Location": "/ops/7", "Retry-After": "0"})


async def followed(*answers: httpx2.Response, poll: Poll) -> Response[Any]:
    """The last answer of an operation that starts with a 202."""
    coming = iter((ACCEPTED, *answers))
    shop = client(lambda _: next(coming))
    return await shop.send("POST", "/exports", poll=poll, expect=("202", "303"))


def state(text: str) -> httpx2.Response:
    """An answer at the status URL, in the one encoding that RFC 8259 does not allow."""
    return httpx2.Response(200, content=text.encode("latin-1"), headers={"Retry-After": "0"})


@pytest.mark.parametrize("status", ["running", "cancelled"])
@pytest.mark.parametrize("leads", [302, 303])
async def test_what_a_status_page_leads_to_has_a_status_of_its_own(leads, status):
    """A machine that was started is running, and an order that was to be cancelled is cancelled."""
    moved = httpx2.Response(308, headers={"Location": "/ops/8"})
    done = httpx2.Response(leads, headers={"Location": "/things/9"})
    on = httpx2.Response(307, headers={"Location": "/things/9/"})
    thing = {"id": 9, "status": status}
    answers = (moved, state('{"status": "pending"}'), done, on, httpx2.Response(200, json=thing))
    assert (await followed(*answers, poll=Poll())).data == thing


async def test_a_status_is_asked_for_with_the_key_and_without_what_held_for_the_first(monkeypatch):
    """`If-None-Match: *` would have it that nothing has changed."""
    monkeypatch.setenv("P_KEY", "k-1234 567")
    asked = []

    def answer(request):
        asked.append(request)
        return ACCEPTED if len(asked) == 1 else state('{"status": "done"}')

    scheme = ApiKey("key", "query", "P_KEY")
    api = Api("P", [ServerUrl(HOME)], security_schemes={"pets": scheme}, security=[{"pets": []}])
    own = {"If-None-Match": "*", "Content-Language": "en", "Prefer": "respond-async"}
    await client(answer, api=api).send("PUT", "/x", header=own, json={}, poll=Poll())
    put, get = asked
    assert own.keys() <= set(map(str.title, put.headers))
    assert not {"if-none-match", "content-language", "content-type"} & set(get.headers)
    assert get.headers["prefer"] == "respond-async"
    assert [str(each.url) for each in asked] == [
        f"{HOME}/x?key=k-1234%20567", "https://api.example/ops/7?key=k-1234%20567"
    ]  # fmt: skip


@table(
    "text, pointer, found",
    ('{"items": [{"id": 1}, {"id": 2}]}', "/items/1", {"id": 2}),
    ('{"items": [1]}', "/items/1", None),
    ('{"items": [1]}', "/items/-", None),
    ('{"items": 1}', "/items/id", None),
    ('{"items": null}', "/items", None),
    ('{"a/b": {"~": 3}}', "/a~1b/~0", 3),
    ("<html>", "/items", None),
    ("[" * 100_000, "/items", None),
)
async def test_a_result_is_where_a_pointer_leads_or_the_whole_answer_is_it(text, pointer, found):
    response = await followed(state(text), poll=Poll(result=pointer))
    if found is None:
        assert response.content == text.encode()
        assert f"it has nothing at {pointer}, where its result should be" in response.misfits
    else:
        assert response.data == found


@pytest.mark.parametrize("first", [200, 201, 204])
async def test_what_is_done_at_once_is_not_followed(first):
    """A `Location` is then that of what was made."""
    coming = iter([httpx2.Response(first, headers={"Location": "/things/9"})])
    shop = client(lambda _: next(coming))
    assert (await shop.send("POST", "/things", poll=Poll(), expect=("202",))).status == first


@table(
    "answers, result, said",
    (["running"] * 5, "", "check that before calling again"),
    (["done"], "/result", "The POST itself was answered before that"),
)
async def test_a_token_that_is_not_to_be_had_any_more_starts_nothing_twice(
    monkeypatch, answers, result, said
):
    """Nothing was sent, yet what was sent before goes on."""
    monkeypatch.setenv("P_ID", "id")
    monkeypatch.setenv("P_SECRET", "secret-1234")

    def coming():
        yield ACCEPTED
        for each in answers:
            yield httpx2.Response(200, json={"status": each, "result": "/r"})
        while True:
            yield httpx2.Response(401)

    api_answers, tokens = coming(), iter(["t"] * (1 + (len(answers) if result else 0)))

    def answer(request):
        if request.url.host != "login.example":
            return next(api_answers)
        token = next(tokens, None)
        body = {"access_token": token, "token_type": "Bearer", "expires_in": 0}
        return httpx2.Response(200, json=body) if token else httpx2.Response(503)

    scheme = OAuth2("P_TOKEN", "", "P_ID", "P_SECRET", "https://login.example/token")
    api = Api("P", security_schemes={"pets": scheme}, security=[{"pets": []}])
    shop = client(answer, api=api, settings=Settings(base_url="https://api.example", retries=0))
    poll = Poll(interval=0, result=result)
    with pytest.raises(ToolError) as failed:
        await shop.send("POST", "/exports", poll=poll, expect=("202",))
    assert said in failed.value.message
    assert "No access token came from login.example: it answered 503" in failed.value.message
    assert "Nothing was sent" not in failed.value.message
    assert "Retrying" not in failed.value.message


async def test_a_hook_that_fails_does_not_stand_for_the_cancellation(caplog):
    """Whoever cancelled waits for that, such as a time limit of the handler's own."""

    async def before_request(request):
        if request.method == "DELETE":
            raise KeyError("signature")

    async def answer(request):
        if request.method == "POST":
            return ACCEPTED
        scope.cancel()
        return state('{"status": "running"}')

    hooks = SimpleNamespace(before_request=before_request)
    shop = client(answer, hooks=hooks)
    with anyio.CancelScope() as scope:
        await shop.send("POST", "/exports", poll=Poll(cancel="DELETE"))
    assert scope.cancelled_caught
    assert "tool: the API could not be told to stop" in caplog.text
    assert "signature" in caplog.text


@pytest.mark.parametrize("cancelled", [True, False])
async def test_an_operation_that_is_done_is_neither_cancelled_nor_said_to_go_on(cancelled):
    """The work would be undone because its result was not waited for."""
    methods = []

    async def answer(request):
        methods.append(request.method)
        if request.method == "POST":
            return ACCEPTED
        if request.url.path == "/ops/7":
            return state('{"status": "done", "result": "/results/7"}')
        if cancelled:
            scope.cancel()
        await anyio.sleep_forever()
        raise AssertionError

    shop = client(answer)
    poll = Poll(cancel="DELETE", result="/result", timeout=9 if cancelled else 0.2)
    with anyio.CancelScope() as scope:
        with pytest.raises(ApiError, match="which is done; its result did not come within"):
            await shop.send("POST", "/exports", poll=poll)
    assert scope.cancelled_caught == cancelled
    assert methods == ["POST", "GET", "GET"]


async def test_statuses_that_are_odd_or_lead_away():
    running, done = (f'{{"status": "{each}", "by": "é"}}' for each in ("running", "done"))
    response = await followed(state(running), state(done), poll=Poll())
    assert response.data == {"status": "done", "by": "é"}
    with pytest.raises(ApiError, match=r"accepted and then failed.*é"):
        await followed(state('{"status": "failed", "by": "é"}'), poll=Poll())
    # Storage with signed URLs is where many exports end up.
    done = httpx2.Response(303, headers={"Location": "https://storage.example/7?sig=1"})
    with pytest.raises(ApiError, match=r"303.*storage.example/7\?sig=1") as told:
        await followed(state('{"status": "running"}'), done, poll=Poll())
    assert "may be there: fetch it without this server" in told.value.message
    encoded = {"Content-Encoding": "gzip, gzip, gzip, gzip"}
    unreadable = httpx2.Response(200, headers=encoded, stream=httpx2.ByteStream(b"?"))
    with pytest.raises(ApiError, match=r"accepted .* no longer rep.*is encoded more than 3 times"):
        await followed(unreadable, poll=Poll())
    around = httpx2.Response(307, headers={"Location": "/ops/7"})
    with pytest.raises(ApiError, match=r"accepted .* no longer reports .*more than 5 times"):
        await followed(*[around] * 6, poll=Poll())
    table = httpx2.Response(200, content=b"a,b", headers={"Content-Type": "text/csv"})
    response = await followed(state('{"status": "running"}'), table, poll=Poll())
    assert (response.data, len(response.misfits)) == ("a,b", 1)
    with pytest.raises(ApiError, match=r"which is still running after 0\.01 s"):
        await followed(state('{"status": "running"}'), poll=Poll(timeout=0.01))
    many = state('{"status": "running", "log": [' + "[]," * 1_100_000 + "[]]}")
    response = await followed(many, poll=Poll())
    assert (response.kind, any("SHOP_MAX_VALUES" in each for each in response.misfits)) == (
        "text",
        True,
    )


async def test_progress_shows_no_credential_and_nothing_that_is_redacted(monkeypatch):
    monkeypatch.setenv("P_KEY", "open-sesame-9")
    told = []

    async def report(*given):
        told.append(given)

    body = {"status": "running", "state": "pending open-sesame-9", "percent": 7}
    scheme = {"pets": ApiKey("key", "query", "P_KEY")}
    for redact in ((), ("$.state", "$.percent")):
        api = Api(
            "P",
            [ServerUrl(HOME)],
            security_schemes=scheme,
            security=[{"pets": []}],
            shapes={"tool": Shape(redact)} if redact else {},
        )
        coming = iter((ACCEPTED, state(json.dumps(body)), state("{}")))
        shop = client(lambda _, coming=coming: next(coming), api=api, report=report)
        poll = Poll(status="/state", running=("pendingopensesame9",))
        await shop.send("POST", "/exports", poll=poll)
    assert told == [(7.0, 100.0, "pending [credential]"), (1.0, None, "[redacted]")]
