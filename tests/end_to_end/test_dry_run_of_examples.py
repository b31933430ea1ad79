"""Every write of every example in a dry run: nothing is sent, and what is shown would be."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import ElicitResult

from .servers import imported

EXAMPLES = Path(__file__).parents[2] / "generated_examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
WITHOUT_WRITES = {"chandler", "lighthouse"}
KINDS = ("full", "required", "null", "media type")
SAFE = ("GET", "HEAD", "OPTIONS", "QUERY")
BOUNDARY = re.compile(r"boundary=([^\s;]+)")


class Api:
    """Answers each request, and keeps it."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        self.requests.append(request)
        return httpx2.Response(200, json={})

    @property
    def writes(self) -> list[httpx2.Request]:
        return [each for each in self.requests if each.method not in SAFE]


def summary(content: bytes, media_type: str) -> str:
    digest = sha256(content).hexdigest()
    kind = media_type or "application/octet-stream"
    return f"[{kind}, {len(content):,} bytes, SHA-256 {digest}]"


def readable(content: bytes, media_type: str) -> str:
    """A body as a dry run shows it, by the test's own reading."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return summary(content, media_type)
    return (
        text
        if re.fullmatch(r"[^\0-\x08\x0b\x0c\x0e-\x1f\x7f]*", text)
        else summary(content, media_type)
    )


def body_of(request: httpx2.Request) -> str:
    media_type = request.headers.get("content-type", "")
    if not media_type.startswith("multipart/"):
        return readable(request.content, media_type)
    (boundary,) = BOUNDARY.findall(media_type)
    line = f"--{boundary}".encode()
    parts = []
    for part in request.content.split(line):
        head, blank, content = part.partition(b"\r\n\r\n")
        if blank:
            kinds = re.findall(r"(?im)^content-type: (.*?)\r?$", head.decode())
            content = readable(content.removesuffix(b"\r\n"), "".join(kinds)).encode() + b"\r\n"
        parts.append(head + blank + content)
    return line.join(parts).decode()


def sent(request: httpx2.Request) -> tuple[str, list[tuple[str, str]], str]:
    """A request as text: its first line, its headers, its body."""
    url = f"{request.url.scheme}://{request.url.netloc.decode()}"
    target = request.extensions.get("target", request.url.raw_path).decode()
    headers = [(name.decode().lower(), value.decode()) for name, value in request.headers.raw]
    return f"{request.method} {url}{target}", headers, body_of(request)


def shown(result: Any, environment: dict[str, str]) -> tuple[str, list[tuple[str, str]], str]:
    """What a dry run answers, with the credentials in place of their names."""
    (block,) = result.content
    assert result.is_error
    assert result.meta["dryRun"] is True
    text = str(block.text)
    for value in environment.values():
        assert len(value) < 4 or value not in text
    text = re.sub(r"\[credential (\w+)\]", lambda match: environment[match[1]], text)
    head, _, body = text.partition("\n\n")
    told, line, *rest = head.split("\n")
    assert told == "Dry run: nothing was sent, and nothing has changed. This server would send:"
    headers = [(name.lower(), value) for name, _, value in (row.partition(": ") for row in rest)]
    return line, [(name, basic(value)) for name, value in headers], body


def basic(value: str) -> str:
    scheme, _, pair = value.partition(" ")
    return f"Basic {b64encode(pair.encode()).decode()}" if scheme == "Basic" else value


def alike(request: tuple[str, list[tuple[str, str]], str]) -> Any:
    """A request without what differs each time."""
    line, headers, body = request
    boundaries = [found for _, value in headers for found in BOUNDARY.findall(value)]
    for boundary in boundaries:
        headers = [(name, value.replace(boundary, "b")) for name, value in headers]
        body = body.replace(boundary, "b")
    return line, headers, body.replace("\r\n", "\n")


async def accept(*_: Any) -> ElicitResult:
    """The user, who agrees to everything."""
    return ElicitResult(action="accept", content={})


@pytest.mark.parametrize("name", NAMES)
def test_every_write_is_shown_and_none_is_sent(name, upstream, monkeypatch):
    folder = EXAMPLES / name
    data = json.loads((folder / "tests/cases.json").read_bytes())
    example = imported(folder, upstream)
    environment = {**data["environment"], **data["fixed"]}
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    tools = json.loads((folder / example.package / "tools.json").read_bytes())["tools"]
    reading = {each["name"] for each in tools if each.get("annotations", {}).get("readOnlyHint")}
    cases = [each for each in data["cases"] if each["kind"] in KINDS]
    writing = [each for each in cases if each["tool"] not in reading]
    assert bool(writing) == (name not in WITHOUT_WRITES)
    count = 0

    async def use(dry, plain, apis):
        nonlocal count
        for case in writing:
            for api in apis:
                api.requests.clear()
            call = case["tool"], case["arguments"]
            answer = await dry.call_tool(*call)
            assert not apis[0].writes
            await plain.call_tool(*call)
            told = shown(answer, environment)
            assert alike(told) == alike(sent(apis[1].writes[0])), case
            count += 1

    async def main():
        apis = Api(), Api()
        made = []
        for api, dry_run in zip(apis, ("writes", None), strict=True):
            kind = example.module("server").APP.parts.kind
            settings = kind(base_url=data["base_url"], retries=0, surface="tools", dry_run=dry_run)
            create = example.module("server").create_server
            made.append(create(settings, transport=httpx2.MockTransport(api)))
        options = {"elicitation_callback": accept} if _asks(folder / example.package) else {}
        async with Client(made[0], **options) as dry, Client(made[1], **options) as plain:
            assert dry.instructions.startswith("Dry run: nothing is changed.")
            await use(dry, plain, apis)

    anyio.run(main)
    assert count == len(writing)


def _asks(package: Path) -> bool:
    return (package / "questions.json").exists()
