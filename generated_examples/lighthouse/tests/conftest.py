"""What the tests share: their data, and the server with the API replaced at the transport."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client

from lighthouse_mcp._runtime import Settings
from lighthouse_mcp.api import API
from lighthouse_mcp.handlers import HANDLERS
from lighthouse_mcp.server import create_server

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("cases.json").read_bytes())
"""What the tests try, made from the document. A case is one call of a tool with `arguments`:

- `full` has every argument, `required` those that must be there, `null` null wherever it may be, and
  `media type` a body of another type. `request` is what the API must then see.
- `invalid` has one wrong argument, `drift` gets an `answer` that the document does not declare, and
  `error` an error. The agent must be told what is in `mentions`.
- `security` is called with the credentials in `environment` alone.

The `result` of a `full` one: `structured` says that the answer is the structured content, as it is (an
`object`) or under `result` (a `value`); otherwise `content` has members of each block. `told` is a
status that is named in a block behind that, `note` says that the last block names a misfit between the
answer and the document. `shown` is what is left of the answer where the server leaves out some of it.
"""

ANSWERS = {case["tool"]: case["answer"] for case in DATA["cases"] if case["kind"] == "full"}
"""A success answer of the API for each tool."""

EMPTY = {"status": 204, "content_type": None}
"""What the API answers where a test does not say."""

OWN_HEADERS = ("accept-encoding", "connection", "content-length", "host", "user-agent")
"""What every request has and no operation declares; name here what `hooks.py` adds."""

OWN_TOOLS: tuple[str, ...] = ()
"""Tools that do something else than the document says: name here those that you test yourself."""

MOST_REQUESTS = 100
"""More in one test are those of a handler that would never stop asking this API."""


def cases(*kinds: str) -> list[Any]:
    """The cases of these kinds as parameters."""
    wanted = [case for case in DATA["cases"] if case["kind"] in kinds]
    chosen = [case for case in wanted if case["tool"] not in OWN_TOOLS]
    return [pytest.param(case, id=id_of(case)) for case in chosen]


def id_of(case: dict[str, Any]) -> str:
    """The tool's name, and what is tried where a test has several cases of a tool."""
    if "answer" in case:
        return str(case["tool"])
    tried = {
        "invalid": case.get("mentions", []),
        "security": case.get("environment") or ["no credential"],
    }
    return "-".join([case["tool"], *tried.get(case["kind"], [case["kind"]])])


def each_case(*kinds: str) -> Callable[[Any], Any]:
    """Run a test with each case of these kinds; where there is none, there is no such test."""
    found = cases(*kinds)
    return pytest.mark.parametrize("case", found) if found else lambda test: None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say at a failure that somebody edited the handler which is tested."""
    report = yield
    params = getattr(getattr(item, "callspec", None), "params", {})
    told = edited(params.get("case", {}).get("tool", "")) if report.failed else ""
    if told:
        report.sections.append(("the handler was edited", told))
    return report


def edited(tool: str) -> str:
    """Where the handler of a tool was edited and what to do then; empty where it was not."""
    root = Path(__file__).parents[1]
    path = f"lighthouse_mcp/handlers/{HANDLERS.get(tool, '').partition(':')[0]}.py"
    lock, file = root / "mcpgen.lock", root / path
    if not (lock.is_file() and file.is_file()):
        return ""
    was = json.loads(lock.read_bytes())["files"].get(path)
    now = hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    if was in (None, now):
        return ""
    way_out = (
        f"Where `{tool}` is to do what it does now, name it in OWN_TOOLS of tests/conftest.py."
    )
    return f"{path} is not as mcpgen wrote it.\n{way_out} Then test it yourself."


def text_of(result: Any) -> str:
    """All the text of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")


def same_json(one: Any, other: Any) -> bool:
    """Equal as JSON: unlike in Python, 1, 1.0 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def assert_same(seen: dict[str, Any], expected: dict[str, Any]) -> None:
    """What was seen is what was expected, also as JSON."""
    assert seen == expected
    assert same_json(seen, expected), f"{seen} is not {expected}"


class FakeApi:
    """Plays the API: gives the answers it was told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = [EMPTY]
        self.requests: list[httpx2.Request] = []

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        self.requests.append(request)
        assert len(self.requests) <= MOST_REQUESTS, "the handler asks again and again"
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        headers = {}
        if answer["content_type"] is not None:
            headers["Content-Type"] = answer["content_type"]
        return httpx2.Response(answer["status"], headers=headers, content=content_of(answer))

    def reply(self, *answers: dict[str, Any] | None) -> None:
        """Forget earlier requests, and answer the next ones in turn, then all as the last one."""
        self.requests.clear()
        self.answers = [answer or EMPTY for answer in answers] or [EMPTY]

    def seen(self, expected: dict[str, Any]) -> dict[str, Any]:
        """The one request that arrived, in the form of `expected`, a case's `request`."""
        told = f"{len(self.requests)} requests arrived, not 1: name the tool in OWN_TOOLS if it may"
        assert len(self.requests) == 1, told
        request = self.requests[0]
        target = request.extensions.get("target", request.url.raw_path).decode("ascii")
        headers = {
            name: value
            for name, value in sorted(request.headers.items())
            if name in expected["headers"] or name not in OWN_HEADERS
        }
        return {
            "method": request.method,
            "url": f"{request.url.scheme}://{request.url.netloc.decode('ascii')}{target}",
            "headers": headers,
            "body": readable(request.content, expected["body"]),
        }


def content_of(answer: dict[str, Any]) -> bytes:
    """The body of an answer."""
    if "json" in answer:
        return json.dumps(answer["json"]).encode()
    if "text" in answer:
        return str(answer["text"]).encode()
    return base64.b64decode(answer.get("base64", ""))


def readable(content: bytes, expected: dict[str, Any] | None) -> dict[str, Any] | None:
    """A body in the form in which the case shows it; bytes where it cannot be read that way."""
    if not content:
        return None
    if expected and "json" in expected:
        return {"json": json.loads(content)}
    if expected and "text" in expected:
        return {"text": content.decode()}
    return {"base64": base64.b64encode(content).decode()}


@contextmanager
def environment(variables: list[str]) -> Iterator[None]:
    """Set only these credentials, each to its own sentinel, and no other variable of the server."""
    before = dict(os.environ)
    prefix = API.env_prefix + "_"
    for name in before:
        if name.startswith(prefix) or name in DATA["environment"]:
            del os.environ[name]
    os.environ.update({name: DATA["environment"][name] for name in variables} | DATA["fixed"])
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def server(api: FakeApi, allow_hosts: Sequence[str] = ()) -> Any:
    """The server with `api` behind it."""
    settings = Settings(base_url=DATA["base_url"], allow_hosts=tuple(allow_hosts), retries=0)
    return create_server(settings, transport=httpx2.MockTransport(api))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture(scope="session")
async def client(api: FakeApi) -> AsyncIterator[Client]:
    """One session for all tests, with every credential set."""
    with environment(list(DATA["environment"])):
        async with Client(server(api)) as session:
            yield session


@pytest.fixture(scope="session")
async def older_client(api: FakeApi) -> AsyncIterator[Client]:
    """The same for clients of the protocol before 2026."""
    with environment(list(DATA["environment"])):
        async with Client(server(api), mode="legacy") as session:
            yield session
