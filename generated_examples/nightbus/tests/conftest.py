"""What the tests share: their cases, and the server with a fake API."""

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

from night_buses_mcp._runtime import Settings
from night_buses_mcp.api import API
from night_buses_mcp.handlers import HANDLERS
from night_buses_mcp.server import create_server

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("cases.json").read_bytes())
"""The cases of the tests, made from the document. A case is one call of a tool with `arguments`:

- `full` has every argument, `required` only the required ones, `null` has null wherever null is
  allowed, and `media type` has a body of another type. The API must receive the `request`.
- `invalid` has a wrong argument. In `drift`, the API's `answer` is one that the document does not
  declare; in `error`, it is an error. The result must contain each text in `mentions`.
- `security` sets only the credentials in `environment`.

The `result` of a `full` case: `structured` is there if the answer is the structured content, either
as it is (`object`) or as the member `result` (`value`). Otherwise `content` has members of each
content block. `told` is a status that a block after these names. `note`: the last block names a
difference between the answer and the document. `shown` is the answer as the server shortens it.
"""

ANSWERS = {case["tool"]: case["answer"] for case in DATA["cases"] if case["kind"] == "full"}
"""A success answer of the API for each tool."""

EMPTY = {"status": 204, "content_type": None}
"""The API's answer in tests that set none."""

OWN_HEADERS = ("accept-encoding", "connection", "content-length", "host", "user-agent")
"""Headers that each request has without being declared; add those that `hooks.py` adds."""

OWN_TOOLS: tuple[str, ...] = ()
"""Tools that are not tested here, such as those whose handlers you edited: test these yourself."""

MOST_REQUESTS = 100
"""The most requests in a test: a handler that sends more would probably never stop."""


def cases(*kinds: str) -> list[Any]:
    """The cases of these kinds as parameters of a test, without those of `OWN_TOOLS`."""
    wanted = [case for case in DATA["cases"] if case["kind"] in kinds]
    chosen = [case for case in wanted if case["tool"] not in OWN_TOOLS]
    return [pytest.param(case, id=id_of(case)) for case in chosen]


def id_of(case: dict[str, Any]) -> str:
    """A name for a case: the tool's name, and what is tried if a test has several cases of it."""
    if "answer" in case:
        return str(case["tool"])
    tried = {
        "invalid": case.get("mentions", []),
        "security": case.get("environment") or ["no credential"],
    }
    return "-".join([case["tool"], *tried.get(case["kind"], [case["kind"]])])


def each_case(*kinds: str) -> Callable[[Any], Any]:
    """Run a test with each case of these kinds; without cases, the test is left out."""
    found = cases(*kinds)
    return pytest.mark.parametrize("case", found) if found else lambda test: None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """If a test fails, say whether somebody edited the handler that it tests."""
    report = yield
    params = getattr(getattr(item, "callspec", None), "params", {})
    told = edited(params.get("case", {}).get("tool", "")) if report.failed else ""
    if told:
        report.sections.append(("the handler was edited", told))
    return report


def edited(tool: str) -> str:
    """The file in which a tool's handler was edited, and what to do; empty if it was not edited."""
    root = Path(__file__).parents[1]
    path = f"night_buses_mcp/handlers/{HANDLERS.get(tool, '').partition(':')[0]}.py"
    lock, file = root / "mcpgen.lock", root / path
    if not (lock.is_file() and file.is_file()):
        return ""
    was = json.loads(lock.read_bytes())["files"].get(path)
    now = hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    if was in (None, now):
        return ""
    way_out = f"If `{tool}` works as you want, add it to OWN_TOOLS in tests/conftest.py,"
    return f"{path} was edited.\n{way_out}\nand write your own tests of it."


def text_of(result: Any) -> str:
    """All the text of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON texts: unlike in Python, 1, 1.0 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def assert_same(seen: dict[str, Any], expected: dict[str, Any]) -> None:
    """Assert that the request that was seen is the expected one, also as JSON text."""
    assert seen == expected
    assert same_json(seen, expected), f"{seen} is not {expected}"


class FakeApi:
    """Takes the place of the API: gives the answers that a test sets, and records the requests."""

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
        """Forget earlier requests. Give these answers in turn, and the last one from then on."""
        self.requests.clear()
        self.answers = [answer or EMPTY for answer in answers] or [EMPTY]

    def seen(self, expected: dict[str, Any]) -> dict[str, Any]:
        """The only request that arrived, in the form of a case's `request`, which is `expected`."""
        told = f"{len(self.requests)} requests, not 1: if intended, add the tool to OWN_TOOLS"
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
    """A body as the case expects it: as JSON or as text, and otherwise in base64."""
    if not content:
        return None
    if expected and "json" in expected:
        return {"json": json.loads(content)}
    if expected and "text" in expected:
        return {"text": content.decode()}
    return {"base64": base64.b64encode(content).decode()}


@contextmanager
def environment(variables: list[str]) -> Iterator[None]:
    """Set these credentials to test values, and none of the server's other variables."""
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
    """The server, with `api` in place of the real API."""
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
    """A session like `client`, in a version of the protocol before 2026."""
    with environment(list(DATA["environment"])):
        async with Client(server(api), mode="legacy") as session:
            yield session
