"""Calls that are cancelled, and servers that end in the middle of calls: nothing stays behind."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from prepared import python

from . import talking
from .faults import NUMBERS, Api
from .talking import PING, calling

HANGING = NUMBERS["silence"]
CALLS = 12


def cancelled(number: int) -> dict[str, Any]:
    method = "notifications/cancelled"
    return {"jsonrpc": "2.0", "method": method, "params": {"requestId": number, "reason": "x"}}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("how", ["end of stdin", "SIGTERM", "SIGINT", "SIGKILL"])
def test_a_server_ends_at_once_with_calls_in_flight(api: Api, shop: Path, how: str) -> None:
    """At the end of stdin once what is in flight had SHUTDOWN_TIMEOUT."""
    with talking.started(shop, SHOP_BASE_URL=api.url, SHOP_SHUTDOWN_TIMEOUT="0.5") as server:
        server.say(*(calling(number, "getPet", petId=HANGING) for number in range(CALLS)))
        assert api.comes_to(CALLS, 10)
        began = time.monotonic()
        if how == "end of stdin":
            server.end()
        else:
            server.process.send_signal(getattr(signal, how))
            server.process.wait(talking.SECONDS)
        assert time.monotonic() - began < 5
        assert api.comes_to(0, 1)
        assert b"Traceback" not in server.logged


def test_calls_with_the_end_of_stdin_right_behind_them_are_answered(api: Api, shop: Path) -> None:
    """As a shell pipes them."""
    later = NUMBERS["a moment later"]
    with talking.started(shop, SHOP_BASE_URL=api.url) as server:
        server.say(*(calling(number, "getPet", petId=later) for number in range(CALLS)))
        assert server.end() == 0
        answers = {answer["id"]: answer["result"] for answer in server.rest()}
    assert answers.keys() == set(range(CALLS))
    assert all(answer["structuredContent"] == {"name": "Rex"} for answer in answers.values())


ORPHAN = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(server.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open")
def test_a_server_does_not_outlive_its_client(shop: Path) -> None:
    """The process that started it is killed and can say nothing any more."""
    command = [sys.executable, "-c", ORPHAN, *python("-m", "shop_mcp")]
    client = subprocess.Popen(command, cwd=shop, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert client.stdin is not None
    assert client.stdout is not None
    server = os.pidfd_open(int(client.stdout.readline()))
    client.kill()
    client.wait()
    try:
        ended, _, _ = select.select([server], [], [], 10)
        assert ended
    finally:
        if not ended:
            signal.pidfd_send_signal(server, signal.SIGKILL)
        os.close(server)
        client.stdin.close()
        client.stdout.close()


def test_a_cancelled_call_ends_its_request_and_is_not_answered(api: Api, shop: Path) -> None:
    with talking.started(shop, SHOP_BASE_URL=api.url) as server:
        server.say(calling(1, "getPet", petId=HANGING))
        assert api.comes_to(1, 10)
        server.say(cancelled(1))
        assert api.comes_to(0, 1)
        server.say(cancelled(1), cancelled(404), PING)
        assert server.hear()["id"] == "ping"
        assert server.call(2, "getPet", petId=1)["structuredContent"] == {"nonce": 1}


def test_a_call_that_is_cancelled_before_it_began(api: Api, shop: Path) -> None:
    with talking.started(shop, SHOP_BASE_URL=api.url) as server:
        for number in range(CALLS):
            server.say(calling(number, "getPet", petId=HANGING), cancelled(number))
        server.say(PING)
        assert server.hear()["id"] == "ping"
        assert api.comes_to(0, 1)


def test_a_call_that_is_cancelled_after_its_answer(api: Api, shop: Path) -> None:
    with talking.started(shop, SHOP_BASE_URL=api.url) as server:
        server.call(1, "getPet", petId=1)
        server.say(cancelled(1), PING)
        assert server.hear()["id"] == "ping"
        assert server.end() == 0
        assert server.rest() == []
