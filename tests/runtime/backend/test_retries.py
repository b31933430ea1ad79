"""Which requests are sent again, after how long, and what the agent is told when they are not."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx2
import pytest
from tables import table

from mcpgen.runtime import ApiError, Settings
from mcpgen.runtime.backend.failures import retry_after

from ..support import api_on_socket, client, fast, raw

GOOD = raw(b"{}", "200 OK", "Content-Type: application/json")
SENT_AGAIN = ("GET", "HEAD", "OPTIONS", "QUERY", "PUT", "DELETE")
SENT_ONCE = ("POST", "PATCH", "LINK")
NOW = "Retry-After: 0"


class Script:
    """Answers requests one by one as it was told; an int is a status, None hangs up."""

    def __init__(self, *answers: int | bytes | None) -> None:
        self.answers = list(answers)

    async def __call__(self, writer: asyncio.StreamWriter, head: bytes) -> None:
        answer = self.answers.pop(0) if self.answers else GOOD
        if answer is None:
            writer.close()
            return
        if isinstance(answer, int):
            answer = raw(b"", f"{answer} Status", NOW)
        writer.write(
            answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if head[:4] == b"HEAD" else answer
        )


async def sent(method: str, answers: Sequence[Any], **settings: Any) -> tuple[int, Any]:
    """How many requests arrived, and the answer or what was raised."""
    async with api_on_socket(Script(*answers)) as api:
        result: Any
        try:
            result = await client(settings=fast(base_url=api.url, **settings)).send(method, "/a")
        except ApiError as error:
            result = error
        return len(api.heads), result


@table(
    "method, first",
    *((method, 503) for method in SENT_AGAIN),
    *(("GET", each) for each in (429, 502, 504, None)),
)
async def test_an_idempotent_request_is_sent_again(method, first):
    count, result = await sent(method, [first])
    assert (count, result.status) == (2, 200)


@table(
    "method, first",
    *((method, 503) for method in SENT_ONCE),
    *(("POST", each) for each in (429, 504, None)),
)
async def test_any_other_is_sent_once(method, first):
    count, error = await sent(method, [first])
    assert count == 1
    assert error.status == first


@pytest.mark.parametrize("status", [400, 401, 408, 425, 500, 501])
async def test_other_statuses_are_final(status):
    count, error = await sent("GET", [status])
    assert (count, error.status) == (1, status)


@pytest.mark.parametrize("retries", [0, 3])
async def test_the_last_answer_is_told(retries):
    count, error = await sent("GET", [503] * 5, retries=retries)
    assert (count, error.status, error.retry_after) == (retries + 1, 503, 0)


@pytest.mark.parametrize(
    ("first", "unsent"),
    [
        (httpx2.ReadError("reset"), False),
        (httpx2.Response(503, headers={"Retry-After": "0"}), False),
        (httpx2.ConnectError("refused"), True),
    ],
    ids=repr,
)
async def test_nothing_was_sent_is_said_of_no_request_that_was_sent_before(first, unsent):
    answers = [first, httpx2.ConnectError("refused"), httpx2.ConnectError("refused")]

    def answer(_):
        found = answers.pop(0)
        if isinstance(found, httpx2.HTTPError):
            raise found
        return found

    with pytest.raises(ApiError, match="No connection to") as failed:
        await client(answer, settings=fast(retries=2)).send("PUT", "/a")
    assert answers == []
    assert ("Nothing was sent" in failed.value.message) == unsent
    assert ("Retrying may help and does no harm" in failed.value.message) != unsent


async def test_a_connection_that_the_api_has_just_closed():
    """A kept connection that dies as the request arrives: again at once, but never a POST."""
    seen = 0

    async def reply(writer, _):
        nonlocal seen
        seen += 1
        if seen == 2:
            writer.close()
        else:
            writer.write(GOOD)

    for method in ("GET", "POST"):
        seen = 0
        async with api_on_socket(reply) as api:
            shop = client(settings=fast(base_url=api.url, retry_wait=0))  # no time to wait
            await shop.send(method, "/a")
            if method == "POST":
                with pytest.raises(ApiError, match="may have been carried out"):
                    await shop.send(method, "/a")
                assert seen == 2
            else:
                assert (await shop.send(method, "/a")).status == 200
                assert seen == 3


@pytest.mark.parametrize("asked", ["1", "tomorrow"])
async def test_retry_after_is_waited_for_within_the_budget(asked):
    if asked == "tomorrow":
        asked = format_datetime(datetime.now(UTC) + timedelta(days=1))
    later = raw(b"", "429 Slow down", f"Retry-After: {asked}")
    began = time.monotonic()
    count, result = await sent("GET", [later])
    waited = time.monotonic() - began
    if asked == "1":
        assert (count, result.status) == (2, 200)
        assert waited >= 1
    else:
        assert (count, result.status) == (1, 429)
        assert waited < 10
        assert "Retrying after 86" in result.message


async def test_a_wait_as_long_as_the_budget_fits():
    """The usual `Retry-After: 10` never fitted the usual 10 seconds: a little is added to it."""
    later = raw(b"", "503 Busy", "Retry-After: 1")
    count, result = await sent("GET", [later], retry_wait=1.0)
    assert (count, result.status) == (2, 200)


@pytest.mark.parametrize("budget", [{"retry_wait": 1.0}, {"timeout": 1.0}])
async def test_a_wait_that_does_not_fit_is_left_to_the_agent(budget):
    later = raw(b"", "503 Busy", "Retry-After: 2")
    began = time.monotonic()
    count, error = await sent("GET", [later], **budget)
    assert (count, error.status, error.retry_after) == (1, 503, 2)
    assert "Retrying after 2 seconds may help" in error.message
    assert time.monotonic() - began < 2


async def test_repetitions_share_the_calls_deadline():
    """The second answer does not come: the call ends when it would have without the first."""
    answers = [raw(b"", "503 Busy", NOW)]

    async def reply(writer, _):
        if not answers:
            await asyncio.Event().wait()
        writer.write(answers.pop())

    async with api_on_socket(reply) as api:
        began = time.monotonic()
        with pytest.raises(ApiError, match="within 2 seconds"):
            await client(settings=fast(base_url=api.url, timeout=2, retries=9)).send("GET", "/a")
        assert time.monotonic() - began < 4
        assert len(api.heads) == 2


@table(
    "header, seconds",
    (None, None),
    ("", None),
    ("0", 0.0),
    ("120", 120.0),
    (" 7 ", 7.0),
    ("-5", None),
    ("1.5", None),
    ("soon", None),
    ("٣", None),
    ("9" * 400, None),
    ("1e9", None),
    ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
    ("Wed, 99 Oct 2015 07:28:00 GMT", None),
    ("Wed, 21 Oct 99999999 07:28:00 GMT", None),
)
def test_retry_after(header, seconds):
    assert retry_after(header) == seconds


def test_a_date_is_the_seconds_until_then():
    found = retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True))
    assert found is not None
    assert 85 <= found <= 91


async def test_requests_that_are_sent_again_are_whole():
    broken = GOOD.replace(b"Content-Length: 2", b"Content-Length: 9")

    async def reply(writer, _):
        writer.write(answers.pop(0))
        if answers:
            writer.close()

    answers = [broken, GOOD]
    async with api_on_socket(reply) as api:
        found = await client(settings=fast(base_url=api.url)).send("GET", "/a")
        assert found.data == {}
        assert len(api.heads) == 2
    async with api_on_socket(Script(503)) as api:
        await client(settings=fast(base_url=api.url)).send("PUT", "/a", json={"n": 1})
        assert api.bodies == [b'{"n":1}'] * 2
        assert api.heads[0] == api.heads[1]


async def test_no_more_calls_at_once_than_allowed():
    at_once = most = 0

    async def reply(writer, _):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.02)
        at_once -= 1
        writer.write(GOOD)

    async with api_on_socket(reply) as api:
        shop = client(settings=fast(base_url=api.url, max_connections=3))
        answers = await asyncio.gather(*(shop.send("GET", "/a") for _ in range(20)))
    assert {answer.status for answer in answers} == {200}
    assert most == 3


async def test_connections_that_fail():
    async with api_on_socket(GOOD) as api:
        pass
    began = time.monotonic()
    with pytest.raises(ApiError, match="refused"):
        await client(settings=fast(base_url=api.url)).send("GET", "/a")
    assert time.monotonic() - began > 0.3
    tries = 0

    def refuse(_):
        nonlocal tries
        tries += 1
        import ssl

        raise httpx2.ConnectError("no") from ssl.SSLCertVerificationError("no")

    with pytest.raises(ApiError, match="not trusted"):
        await client(refuse, settings=Settings()).send("GET", "/a")
    assert tries == 1
