"""Each way in which an API can fail ends in one result in time, and harms no other call."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import judge, talking
from .faults import CANARY, CREDENTIALS, FAILING, FAULTS, KEY, LARGEST, NUMBERS, Api

TIMEOUT = 1.0
LATE = 1.5
"""Seconds more than that in which a busy machine has answered."""


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audit log."""
    return tmp_path_factory.mktemp("faults") / "audit.jsonl"


@pytest.fixture(scope="module")
def server(api: Api, shop: Path, audit: Path) -> Iterator[talking.Server]:
    """One server for all faults: what one of them breaks, the next one meets."""
    environ = {
        **CREDENTIALS,
        "SHOP_AUDIT": str(audit),
        "SHOP_AUDIT_VALUES": "true",
        "SHOP_BASE_URL": api.url,
        "SHOP_TIMEOUT": str(TIMEOUT),
        "SHOP_RETRIES": "1",
        "SHOP_MAX_RESPONSE_BYTES": str(LARGEST),
        "SHOP_LOG_LEVEL": "DEBUG",
    }
    with talking.started(shop, itself=True, **environ) as found:
        yield found


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_in_one_result(
    server: talking.Server, api: Api, audit: Path, fault: str
) -> None:
    """In time, readable, without a credential; a write is sent once; the next call is right."""
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("getPet", {"petId": NUMBERS[fault]}),
        ("create", {"name": fault, "extra": KEY}),
    )
    for number, (tool, arguments) in enumerate(asked):
        began = time.monotonic()
        result = server.call(number, tool, **arguments)
        assert time.monotonic() - began < TIMEOUT + LATE
        assert bool(result.get("isError")) == (fault in FAILING), result
        assert CANARY not in json.dumps(result)
        for block in result["content"]:
            assert not judge.hidden(block.get("text", "").replace("\r\n", "\n")), block
    assert api.written[fault] == 1
    nonce = NUMBERS[fault] + 1
    assert server.call(nonce, "getPet", petId=nonce)["structuredContent"] == {"nonce": nonce}
    assert CANARY.encode() not in server.logged
    assert CANARY not in audit.read_text()


def test_nothing_is_left_or_told(server: talking.Server, api: Api) -> None:
    """No request went elsewhere, no cookie came back, no connection stays, no credential is logged.

    Runs after the faults, which it asks for again where they have not been met.
    """
    for name in ("302 elsewhere", "307 elsewhere", "a cookie", "401 with the key", "silence"):
        server.call(1, "getPet", petId=NUMBERS[name])
    server.call(1, "getPet", petId=1)
    assert api.elsewhere == []
    assert api.cookies == 0
    assert api.connections <= 2
    assert b"DEBUG" in server.logged
    assert api.key == KEY
    assert CANARY.encode() not in server.logged


def test_nothing_that_is_said_is_obeyed_by_a_terminal(server: talking.Server) -> None:
    """What the API and the client say is logged, but not as commands or as lines of the log."""
    server.call(1, "getPet", petId=NUMBERS["409"])
    server.call(2, "getPet", petId="\x9b2J\u202e")
    server.call(3, "getPet", petId=1)
    assert b"  ERROR root: forged" in server.logged
    assert b"\nERROR root: forged" not in server.logged
    assert not judge.hidden(server.logged.decode())


@talking.needs_proc
@pytest.mark.parametrize("fault", ["a bomb", "a body without end", "a head without end"])
def test_a_bomb_takes_no_memory(server: talking.Server, fault: str) -> None:
    """64 MiB, or what never ends, for a server that takes 100 kB of an answer."""
    server.call(1, "getPet", petId=NUMBERS["too large"])
    before = server.peak
    assert server.call(1, "getPet", petId=NUMBERS[fault])["isError"]
    assert server.peak - before < 32
