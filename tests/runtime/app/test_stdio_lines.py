"""The lines of stdio: how they are cut and answered, and what is waited for at the end."""

import json
import os
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from tables import table

from mcpgen.runtime.app import stdio


@table(
    "line, code, known",
    (b"garbage", -32700, None),
    (b"\xff\xfe", -32700, None),
    (b"[]", -32600, None),
    (b"1", -32600, None),
    (b'{"jsonrpc":"2.0","id":"a"}', -32600, "a"),
    (b'{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600, 3),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
    (b'{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}', -32600, 3),
    (b'{"jsonrpc":"2.0","id":4,"method":"ping","params":[1],"error":1}', -32600, 4),
    (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', -32700, None),
    (None, -32700, None),
    (b'{"id":5,"params":' + b"[" * 100 + b"]" * 100 + b"}", -32700, 5),
)
def test_a_line_that_is_no_message_is_refused(line, code, known):
    answer = stdio.decode(line)
    assert isinstance(answer, bytes)
    found = json.loads(answer)
    assert (found["error"]["code"], found["id"]) == (code, known)


def test_brackets_are_counted_before_a_line_is_parsed(monkeypatch):
    monkeypatch.setattr(stdio.types, "jsonrpc_message_adapter", None)
    head = b'{"jsonrpc":"2.0","id":5,"method":"a","params":'
    for rest, reason in (
        (b"[" * 100 + b"]" * 100 + b"}", b"is nested deeper than 100 levels"),
        (b"[" + b"{}," * (1 << 20) + b"{}]}", b"holds more than 1,000,000 arrays and objects"),
    ):
        answer = stdio.decode(head + rest)
        assert isinstance(answer, bytes)
        assert reason in answer


def test_an_answer_that_is_none_is_an_error_to_whoever_waits_for_it():
    found = stdio.decode(b'{"jsonrpc":"2.0","id":3,"result":1}')
    assert isinstance(found, JSONRPCError)
    assert (found.id, found.error.code) == (3, -32600)


HALF = "\ud800"


@table(
    "message, known",
    (JSONRPCResponse(jsonrpc="2.0", id=3, result={"a": HALF}), 3),
    (JSONRPCError(jsonrpc="2.0", id="b", error=ErrorData(code=1, message=HALF)), "b"),
    (JSONRPCNotification(jsonrpc="2.0", method="n", params={"a": HALF}), None),
    (JSONRPCRequest(jsonrpc="2.0", id=4, method="m", params={"a": HALF}), None),
)
def test_whoever_waits_for_an_answer_that_cannot_be_written_is_told(message, known):
    line = stdio.encode(message)
    if known is None:
        assert line == b""
    else:
        answer = json.loads(line)
        assert (answer["id"], answer["error"]["code"]) == (known, -32603)


@pytest.mark.parametrize("line", [b"", b"  \r", b'{"jsonrpc":"2.0","id":[],"result":1}'])
def test_some_lines_need_no_answer(line):
    assert stdio.decode(line) is None


def test_lines_are_cut_and_answers_that_are_none_refused(monkeypatch):
    monkeypatch.setattr(stdio, "MAX_LINE", 10)
    monkeypatch.setattr(stdio, "_CHUNK_BYTES", 3)
    reading, writing = os.pipe()
    os.write(writing, b"a\n\n1234567890\n12345678901\nb\n" + b"x" * 30 + b"\nlast")
    os.close(writing)
    assert list(stdio.lines(reading)) == [b"a", b"", b"1234567890", None, b"b", None, b"last"]
    os.close(reading)


@pytest.mark.parametrize("known", [7, "7", "a\tb", "\u200b"])
@pytest.mark.parametrize("how", ["answered", "refused", "cancelled"])
async def test_the_end_waits_for_answers_that_are_owed_and_no_longer(known, how):
    reading, writing = os.pipe()
    answers = stdio.Answers(writing, lambda: None)
    answers.owe(JSONRPCRequest(jsonrpc="2.0", id=known, method="tools/list"))
    for other in ([known], None, 8):  # what is cancelled is none, or another
        answers.owe(cancelled(other))
    answers.owe(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled"))
    with anyio.move_on_after(0.01) as waiting:
        await answers.given()
    assert waiting.cancelled_caught
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answers.given)
            await anyio.lowlevel.checkpoint()
            if how == "cancelled":
                answers.owe(cancelled(known))
            else:
                said = JSONRPCResponse(jsonrpc="2.0", id=known, result={})
                if how == "refused":
                    refusal = ErrorData(code=-32601, message="no")
                    said = JSONRPCError(jsonrpc="2.0", id=known, error=refusal)
                await answers.send(SessionMessage(said))
        await answers.given()
    os.close(reading)
    os.close(writing)


async def test_the_end_waits_no_longer_than_it_takes_to_write(monkeypatch):
    monkeypatch.setattr(stdio, "_LEAVE_SECONDS", 5)
    reading, writing = os.pipe()
    answers = stdio.Answers(writing, lambda: None)
    answers.put(b"last\n")
    began = anyio.current_time()
    await answers.drain()
    assert anyio.current_time() - began < 5
    assert os.read(reading, 9) == b"last\n"
    os.close(reading)
    os.close(writing)


def cancelled(request: Any) -> JSONRPCNotification:
    method = "notifications/cancelled"
    return JSONRPCNotification(jsonrpc="2.0", method=method, params={"requestId": request})
