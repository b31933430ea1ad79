"""The search surface: tools are found by their summaries, and by the team's questions."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client

from town_hall_mcp._runtime import Settings
from town_hall_mcp.server import create_server

from .conftest import FakeApi, text_of

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent

SUMMARIES: list[list[str]] = json.loads(HERE.joinpath("search_cases.json").read_bytes())
"""Tools with their summaries; of many tools, only some from all over the document."""

QUESTIONS: list[dict[str, Any]] = tomllib.loads(
    HERE.joinpath("questions.toml").read_text("utf-8")
).get("question", [])
"""Your own questions: see `questions.toml`."""

FIND = "find_tools"
AMONG = 5


@pytest.fixture(scope="module")
async def searching() -> AsyncIterator[Client]:
    """A session with the search surface."""
    settings = Settings(base_url="https://api.example", surface="search")
    async with Client(
        create_server(settings, transport=httpx2.MockTransport(FakeApi()))
    ) as session:
        yield session


async def found(client: Client, query: str) -> list[str]:
    """The first tools that the search finds."""
    answer = text_of(await client.call_tool(FIND, {"query": query, "limit": AMONG}))
    lines = answer.partition("\n\n")[0].splitlines()
    return [match[1] for line in lines if (match := re.match(r"([\w.-]+)\(", line))]


@pytest.mark.parametrize(
    ("tool", "summary"), [pytest.param(*each, id=each[0]) for each in SUMMARIES]
)
async def test_summary(tool: str, summary: str, searching: Client) -> None:
    """A tool's own summary finds it."""
    assert tool in await found(searching, summary)


@pytest.mark.skipif(not QUESTIONS, reason="questions.toml has no question")
async def test_questions(searching: Client) -> None:
    """Each question finds a tool that answers it; `mcpgen inspect --questions` prints the misses."""
    missed = [
        each["query"]
        for each in QUESTIONS
        if not {*each["tools"]} & {*await found(searching, each["query"])}
    ]
    assert not missed
