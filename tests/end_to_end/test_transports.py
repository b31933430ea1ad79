"""What reaches the API and the agent does not depend on the transport or the client's age."""

import base64
import copy
import json
import os
import re
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
import runtime_package
from examples import FOLDER
from mcp import Client, StdioServerParameters
from prepared import python

from .servers import over_http
from .upstream import Answer, Upstream

IN_ALL_WAYS = ("answers",)
"""Examples that are played over both transports by both clients."""
IN_TWO_WAYS = ("chandler", "lighthouse", "quayside")
"""Those of the newest and the oldest: functions, links, several sources."""


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


async def played(upstream: Upstream, target: Any, mode: Any, cases: list[Any]) -> list[Any]:
    """The list of tools, and for each case what the API saw and what the agent got."""
    found: list[Any] = []
    async with Client(target, mode=mode, read_timeout_seconds=20) as client:
        listed = await client.list_tools()
        # `execution` was of 2025-11-25 only.
        dump = {"by_alias": True, "exclude_none": True, "exclude": {"execution"}}
        found.append([tool.model_dump(**dump) for tool in listed.tools])
        for case in cases:
            upstream.answer = answer_of(case)
            upstream.seen = []
            result = await client.call_tool(case["tool"], case["arguments"])
            dumped = result.model_dump(mode="json", by_alias=True, exclude={"result_type", "meta"})
            for block in dumped["content"]:
                if block["type"] == "resource_link":
                    block["uri"] = block["uri"].rpartition("/")[0]  # the rest is chance
            found.append((case["tool"], case["kind"], dumped, [seen.raw for seen in upstream.seen]))
    return found


def as_older_clients_see(found: list[Any]) -> list[Any]:
    """The same in the protocol's older form, whose structured content is always an object."""
    listed, *calls = copy.deepcopy(found)
    for tool in listed:
        if tool.get("outputSchema", {}).get("type") != "object":
            tool.pop("outputSchema", None)
    for _, _, result, _ in calls:
        if not isinstance(result["structuredContent"], dict | None):
            result["structuredContent"] = {"result": result["structuredContent"]}
    return [listed, *calls]


def played_cases(cases: list[Any]) -> list[Any]:
    """Of each tool the first case, where nothing is left out, and of each kind the first as well.

    Those of security are without their credentials.
    """
    kinds = {case["kind"]: case for case in reversed(cases) if case["kind"] != "security"}
    tools = {case["tool"]: case for case in reversed(cases) if case["kind"] != "security"}
    return [*tools.values(), *kinds.values()]


@pytest.mark.parametrize("example", [*IN_ALL_WAYS, *IN_TWO_WAYS])
def test_every_transport_and_client_sees_the_same(upstream, example):
    """The servers of the documents in `specs/`, with the cases of their own tests."""
    folder = FOLDER / example
    (package,) = [path.parent.name for path in folder.glob("*/server.py")]
    data = json.loads((folder / "tests" / "cases.json").read_text(encoding="utf-8"))
    cases = played_cases(data["cases"])
    pages = "".join((folder / name).read_text("utf-8") for name in ("README.md", "DEPLOY.md"))
    base_urls = re.findall(r"^\| `(\w+_BASE_URL)` \|", pages, re.MULTILINE)
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": runtime_package.folder(),
        **{name: value for name, value in data["environment"].items() if "_CERT" not in name},
        **dict.fromkeys(base_urls, upstream.url),
        **{name.replace("_BASE_URL", "_RETRIES"): "0" for name in base_urls},
    }
    command = python("-m", package)
    process = StdioServerParameters(command=command[0], args=command[1:], cwd=folder, env=env)
    by_stdio = anyio.run(played, upstream, process, "2026-07-28", cases)
    assert len(by_stdio) > 5
    assert any(raw for _, _, _, raw in by_stdio[1:]) == bool(base_urls)
    with over_http(command, folder, env) as url:
        others = [(process, "legacy"), (url, "2026-07-28")] if example in IN_ALL_WAYS else []
        for target, mode in (*others, (url, "legacy")):
            by_another = anyio.run(played, upstream, target, mode, cases)
            expected = by_stdio if mode != "legacy" else as_older_clients_see(by_stdio)
            for one, other in zip(expected, by_another, strict=True):
                assert other == one, (target, mode)
