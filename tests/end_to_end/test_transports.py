"""What reaches the API and the agent does not depend on the transport or the client's age."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from .servers import Server
from .test_documents import DOCUMENTS
from .upstream import Answer


def answer_of(case: Mapping[str, Any]) -> Answer:
    """What the API says in a case of the generated tests."""
    answer = case.get("answer", {"status": 200, "content_type": "application/json", "json": {}})
    if "json" in answer:
        body = json.dumps(answer["json"]).encode()
    elif "text" in answer:
        body = answer["text"].encode()
    else:
        body = base64.b64decode(answer.get("base64", ""))
    return Answer(body, answer["content_type"], answer["status"])


@contextmanager
def over_http(server: Server, env: Mapping[str, str]) -> Iterator[str]:
    """The server's own process; the value is its URL."""
    command = [sys.executable, "-m", server.package, "--http", "127.0.0.1:0"]
    with subprocess.Popen(
        command, cwd=server.folder, env=dict(env), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://\S+", process.stderr.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


async def played(server: Server, target: Any, mode: Any, cases: list[Any]) -> list[Any]:
    """The list of tools, and for each case what the API saw and what the agent got."""
    found: list[Any] = []
    async with Client(target, mode=mode, read_timeout_seconds=20) as client:
        listed = await client.list_tools()
        found.append([tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools])
        for case in cases:
            server.upstream.answer = answer_of(case)
            server.upstream.seen = []
            result = await client.call_tool(case["tool"], case["arguments"])
            dumped = result.model_dump(mode="json", by_alias=True, exclude={"result_type", "meta"})
            raw = [seen.raw for seen in server.upstream.seen]
            found.append((case["tool"], case["kind"], dumped, raw))
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_transport_and_client_sees_the_same(
    generated: Callable[[str], Server], document: str
) -> None:
    server = generated(document)
    data = json.loads((server.folder / "tests" / "cases.json").read_text(encoding="utf-8"))
    cases = [case for case in data["cases"] if case["kind"] in ("full", "null", "invalid", "error")]
    prefix = server.api.env_prefix
    env = {
        "PATH": os.environ["PATH"],
        f"{prefix}_BASE_URL": server.upstream.url,
        **{
            name: value for name, value in data["environment"].items() if not name.endswith("_CERT")
        },
    }
    env[f"{prefix}_RETRIES"] = "0"
    process = StdioServerParameters(
        command=sys.executable, args=["-m", server.package], cwd=server.folder, env=env
    )
    by_stdio = anyio.run(played, server, process, "auto", cases)
    assert any(raw for _, _, _, raw in by_stdio[1:])
    with over_http(server, env) as url:
        for mode in ("auto", "legacy"):
            by_http = anyio.run(played, server, url, mode, cases)
            for over_stdio, found in zip(by_stdio, by_http, strict=True):
                assert found == over_stdio
