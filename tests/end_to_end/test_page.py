"""The page at a server's address, opened in a browser."""

import json
import re
import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import browser
import httpx2
import pytest
import runtime_package
from command_line import run
from examples import FOLDER
from runtime.serving import Process, process

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
SPECS = FOLDER.parent / "specs"
CALLED = {"bookshop": "bookshop.yaml", "wire": "wire.yaml", "bodies": "bodies.yaml"}
KEY = {"BOOKSHOP_SHOP_KEY": "a-key"}
HOST = """
import httpx2
import uvicorn
from bookshop_mcp.server import create_app
from starlette.applications import Starlette
from starlette.routing import Mount

agents = create_app(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json={})))
start = lambda _: agents.router.lifespan_context(agents)
uvicorn.run(Starlette(routes=[Mount("/agents", agents)], lifespan=start), port=0)
"""
MARK = "window.taken=1"
HOSTILE = (
    f"<script>{MARK}</script>",
    f"</script><script>{MARK}</script>",
    f"</style><script>{MARK}</script>",
    f"</title><script>{MARK}</script>",
    f"</textarea><script>{MARK}</script>",
    f"<img src=x onerror={MARK}>",
    f"<img src='http://127.0.0.1:9/x.png' onerror=\"{MARK}\">",
    f"<svg onload={MARK}>",
    f"<svg><script>{MARK}</script></svg>",
    f"<body onload={MARK}>",
    f"<iframe srcdoc='<script>parent.{MARK}</script>'></iframe>",
    f"<iframe src='javascript:parent.{MARK}'></iframe>",
    f"<object data='data:text/html,<script>{MARK}</script>'></object>",
    f"<details open ontoggle={MARK}>",
    f"<input autofocus onfocus={MARK}>",
    f"<a href='javascript:{MARK}'>press</a>",
    f"<form action='javascript:{MARK}'><button>press</button></form>",
    "<base href='http://127.0.0.1:9/'>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<link rel=stylesheet href='http://127.0.0.1:9/x.css'>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={MARK}>",
    f"\"onmouseover={MARK} x=\"'onfocus={MARK} autofocus x='",
    f"javascript:{MARK}",
    f"${{{MARK}}}{{{{constructor.constructor('{MARK}')()}}}}",
    f"<!--<script>\u2028{MARK}//-->\u202e",
    f"&lt;script&gt;{MARK}&lt;/script&gt;&#60;img src=x onerror={MARK}&#62;",
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser.opened(tmp_path_factory.mktemp("profile")) as page:
        yield page


def generated(folder: Path, source: Path, surface: str = "tools") -> Path:
    """A server of a document with the page."""
    out = folder / source.stem
    done = run(
        *("from-openapi", str(source), "-o", str(out), "--page"),
        *("--surface", surface, "--runtime", "package"),
    )
    assert done.exit_code == 0, done.output
    return out


@contextmanager
def running(out: Path, *words: str, **environ: str) -> Iterator[Process]:
    """The server in a folder, or what else Python is to run there."""
    path = f"{out}:{runtime_package.folder()}"
    command = words or (next(out.glob("*_mcp")).name, "--http", "127.0.0.1:0")
    with process(out, *command, PYTHONPATH=path, **environ) as it:
        yield it


@contextmanager
def served(out: Path, **environ: str) -> Iterator[Process]:
    """The server in a folder, which answers from its examples."""
    package = next(out.glob("*_mcp")).name
    with running(out, package, "--http", "127.0.0.1:0", "--mock", **environ) as it:
        yield it


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("page"), SPECS / "bookshop.yaml")


@pytest.fixture(scope="module")
def bookshop(shop):
    with served(shop) as server:
        yield server.url


def shown(page: browser.Page, url: str) -> None:
    page.show(url)
    page.until("document.body.dataset.loaded || !document.getElementById('banner').hidden")


def call(page: browser.Page, tool: str, arguments: dict[str, Any] | None = None) -> str:
    """What the page shows for a call by its form, or by JSON; it says yes where it is asked."""
    name = json.dumps(tool)
    page.run(f"location.hash = encodeURIComponent({name})")
    page.until(f"document.querySelector('#main .meta code')?.textContent === {name}")
    if arguments is not None:
        page.run("[...document.querySelectorAll('.tabs button')].at(-1).click()")
        page.run(f"document.getElementById('json').value = {json.dumps(json.dumps(arguments))}")
    page.run("document.getElementById('call').click()")
    page.until(
        "document.querySelector('#ask[open]') || document.querySelector('#result [data-outcome]')"
    )
    page.run("document.querySelector('#ask[open] .main')?.click()")
    page.until("document.querySelector('#result [data-outcome]')")
    outcome = "document.querySelector('#result [data-outcome]')"
    return f"{page.run(outcome + '.dataset.outcome')}: {page.run(outcome + '.textContent')}"


def banner(page: browser.Page) -> str:
    return str(page.run("document.getElementById('banner').textContent"))


def quiet(page: browser.Page, url: str) -> None:
    """Nobody else was asked for anything, and no script failed."""
    asked = [told["request"]["url"] for told in page.told("Network.requestWillBeSent")]
    origin = url.rpartition("/")[0]
    assert [each for each in asked if not each.startswith((origin, "data:"))] == []
    assert page.told("Runtime.exceptionThrown") == []
    entries = [told["entry"]["text"] for told in page.told("Log.entryAdded")]
    assert entries == []


def test_browsers_get_the_page_and_clients_the_protocol(bookshop):
    got = httpx2.get(bookshop, headers={"Accept": BROWSER})
    assert got.headers["content-type"].startswith("text/html")
    assert got.headers["vary"] == "Accept"
    policy = got.headers["content-security-policy"]
    for kind, text in re.findall(r"<(script|style)>(.*?)</\1>", got.text, re.DOTALL):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    for accept in ("*/*", "text/event-stream", "application/json, text/event-stream", ""):
        assert httpx2.get(bookshop, headers={"Accept": accept}).status_code == 405
    foreign = {"Accept": BROWSER, "Host": "evil.example"}
    assert httpx2.get(bookshop, headers=foreign).status_code == 421
    for below in ("/", "/x/orders", "/readonly", "/x/orders/readonly"):
        assert httpx2.get(f"{bookshop}{below}", headers={"Accept": BROWSER}).text == got.text


def test_a_server_without_the_part_has_nothing_of_it(tmp_path):
    for flags in ((), ("--page",)):
        out = tmp_path / "-".join(("server", *flags))
        done = run("from-openapi", str(SPECS / "bookshop.yaml"), "-o", str(out), *flags)
        assert done.exit_code == 0, done.output
        part = next(out.glob("*_mcp")) / "_runtime/parts/page"
        names = {path.name for path in part.glob("*.*")}
        assert names == ({"__init__.py", "page.html"} if flags else set())
        assert ("text/html" in "".join(p.read_text() for p in out.rglob("*.py"))) == bool(flags)


@browser.needed
@pytest.mark.parametrize("example", CALLED)
def test_all_tools_are_called_through_the_page(example, chromium, tmp_path):
    cases = json.loads((FOLDER / example / "tests/cases.json").read_text())["cases"]
    given = {each["tool"]: each["arguments"] for each in cases if each["kind"] == "full"}
    with served(generated(tmp_path, SPECS / CALLED[example])) as server:
        shown(chromium, server.url)
        for tool, arguments in given.items():
            assert call(chromium, tool, arguments).startswith("answered"), tool
        assert chromium.run("document.querySelectorAll('.tool').length") == len(given)
        quiet(chromium, server.url)


@browser.needed
@pytest.mark.parametrize("width", [360, 800, 1400])
def test_a_tool_is_called_by_keyboard_alone(width, chromium, bookshop):
    chromium.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=700,
        deviceScaleFactor=1,
        mobile=False,
    )
    shown(chromium, bookshop)
    chromium.press("/", *"look book", "ArrowDown", "Enter")
    chromium.until("document.querySelector('#main .meta code')?.textContent === 'getBook'")
    for _ in range(40):
        chromium.press("Tab")
        if chromium.run("document.activeElement.id.startsWith('argument-')"):
            break
    chromium.press("1", "7")
    for _ in range(5):
        chromium.press("Tab")
        if chromium.run("document.activeElement.id") == "call":
            break
    chromium.press("Enter")
    chromium.until("document.querySelector('[data-outcome=answered]')")
    assert "The Salt Road" in chromium.run("document.getElementById('result').textContent")
    wide = "document.documentElement.scrollWidth <= window.innerWidth"
    assert chromium.run(wide)
    chromium.call("Emulation.clearDeviceMetricsOverride")


@browser.needed
def test_a_search_surface_shows_all_tools(chromium, tmp_path):
    with served(generated(tmp_path, SPECS / "bookshop.yaml", "search")) as server:
        for below, count in (("", 10), ("/search", 10), ("/readonly", 5)):
            shown(chromium, f"{server.url}{below}")
            assert chromium.run("document.querySelectorAll('.tool').length") == count
            assert call(chromium, "listBooks").startswith("answered")
            quiet(chromium, server.url)


@browser.needed
def test_a_change_is_asked_for(chromium, bookshop):
    shown(chromium, bookshop)
    chromium.run("location.hash = 'removeBook'")
    chromium.until("document.getElementById('call')")
    chromium.run("document.querySelector('#main input').value = '17'")
    chromium.run("document.getElementById('call').click()")
    chromium.until("document.querySelector('#ask[open]')")
    assert '"book_id": 17' in chromium.run("document.getElementById('ask').textContent")
    chromium.run("document.querySelector('#ask .button').click()")
    chromium.until("!document.querySelector('#ask[open]')")
    posts = [e["request"] for e in chromium.told("Network.requestWillBeSent")]
    assert not any("tools/call" in (each.get("postData") or "") for each in posts)
    assert call(chromium, "removeBook").startswith("answered")


@browser.needed
def test_numbers_keep_their_digits(chromium, bookshop):
    shown(chromium, bookshop)
    call(chromium, "getBook", {"book_id": 12345678901234567890})
    posts = [e["request"] for e in chromium.told("Network.requestWillBeSent")]
    assert '"book_id":12345678901234567890' in posts[-1]["postData"]


@browser.needed
def test_sign_in(chromium, shop):
    token = "a-token-of-some-length-000000000"
    with served(shop, BOOKSHOP_HTTP_TOKEN=token) as server:
        shown(chromium, server.url)
        assert "asks callers to sign in" in banner(chromium)
        assert "Bearer $TOKEN" in chromium.run("document.getElementById('clients').textContent")
        for typed, told in (("wrong", "does not take this token"), (token, "")):
            chromium.run("document.getElementById('sign').click()")
            chromium.run(f"document.getElementById('token').value = '{typed}'")
            chromium.run("document.getElementById('signing-yes').click()")
            chromium.until(
                "document.getElementById('count').textContent === '10 tools'"
                if not told
                else f"document.getElementById('banner').textContent.includes('{told}')"
            )
        assert call(chromium, "listBooks").startswith("answered")
        assert chromium.run("Object.keys(localStorage).length + document.cookie.length") == 0
    chromium.run("document.getElementById('call').click()")
    chromium.until("document.getElementById('result').textContent.includes('does not answer')")


@browser.needed
def test_it_is_shown_below_another_app_and_at_another_path(chromium, shop):
    (shop / "host.py").write_text(HOST)
    with running(shop, "host", BOOKSHOP_HTTP_PATH="/shop/v1", **KEY) as server:
        url = f"{server.base}/agents/shop/v1"
        shown(chromium, url)
        assert call(chromium, "listBooks", {"limit": 1}).startswith("answered")
        chromium.run("document.getElementById('connect').click()")
        assert f"bookshop {url}" in chromium.run("document.getElementById('clients').textContent")
        quiet(chromium, url)


@browser.needed
def test_a_key_that_is_missing_and_an_api_that_is_not_there_are_told(chromium, shop):
    nowhere = {"BOOKSHOP_BASE_URL": "http://127.0.0.1:9"}
    for environ, told in (({}, "Set BOOKSHOP_SHOP_KEY in the environment"), (KEY, "127.0.0.1:9")):
        with running(shop, **environ, **nowhere) as server:
            shown(chromium, server.url)
            outcome = call(chromium, "listBooks")
            assert outcome.startswith("failed: error")
            assert told in outcome


@browser.needed
def test_a_call_is_stopped(chromium, shop):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        api = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with running(shop, BOOKSHOP_BASE_URL=api, **KEY) as server:
            shown(chromium, server.url)
            chromium.run("location.hash = 'listBooks'")
            chromium.until("document.getElementById('call')")
            for stop in ("document.getElementById('stop').click()", "Escape"):
                chromium.run("document.getElementById('call').click()")
                connection, _ = silent.accept()
                with connection:
                    assert connection.recv(1) == b"G"
                    assert chromium.run("document.getElementById('call').disabled")
                    chromium.press(stop) if stop == "Escape" else chromium.run(stop)
                    chromium.until("document.querySelector('[data-outcome=failed]')")
                    said = chromium.run("document.getElementById('result').textContent")
                    assert "Stopped.What the API had done by then stays done." in said
                    while connection.recv(4096):  # until the server hangs up on the API
                        pass
                assert chromium.run("document.getElementById('stop').hidden")


@browser.needed
def test_files_are_sent(chromium, tmp_path):
    data = bytes(range(256)) * 200
    model = tmp_path / "model.bin"
    model.write_bytes(data)
    with served(generated(tmp_path, SPECS / "bodies.yaml")) as server:
        shown(chromium, server.url)
        chromium.run("location.hash = 'putModel'")
        chromium.until("document.querySelector('input[type=file]')")
        chromium.run("document.querySelector('#main input[type=text]').value = '7'")
        chromium.choose("input[type=file]", model)
        chromium.until("document.querySelector('#main textarea').value")
        assert call(chromium, "putModel").startswith("answered")
        posts = [e["request"] for e in chromium.told("Network.requestWillBeSent")]
        sent = json.loads(posts[-1]["postData"])["params"]["arguments"]
        assert sent == {"number": 7, "body": b64encode(data).decode()}
        other = tmp_path / "other.bin"
        other.write_bytes(b"other")
        chromium.run("location.hash = 'uploadDrawing'")
        chromium.until("document.querySelector('input[multiple]')")
        chromium.choose("input[type=file]:not([multiple])", other)
        chromium.choose("input[multiple]", model, other)
        chromium.until("document.querySelector('input[multiple]').previousSibling.value")
        assert call(chromium, "uploadDrawing").startswith("answered")
        posts = [e["request"] for e in chromium.told("Network.requestWillBeSent")]
        sent = json.loads(posts[-1]["postData"])["params"]["arguments"]
        assert sent["drawing"] == b64encode(b"other").decode()
        assert sent["details"] == [b64encode(data).decode(), sent["drawing"]]


@browser.needed
def test_what_a_document_says_runs_nothing(chromium, tmp_path):
    assert len(HOSTILE) == 26
    paths = {}
    for number, text in enumerate(HOSTILE):
        schema = {"type": "string", "title": text, "enum": [text], "description": text}
        answer = {"schema": {"type": "object"}, "example": {text: text}}
        paths[f"/things{number}"] = {
            "get": {
                "operationId": f"tool{number}",
                "tags": [text],
                "summary": text,
                "description": text,
                "parameters": [
                    {"name": "a", "in": "query", "required": True, "schema": schema},
                    {"name": "b", "in": "query", "schema": {"default": text, "type": "string"}},
                    {"name": text, "in": "query", "schema": {"examples": [text]}},
                ],
                "responses": {
                    "200": {"description": text, "content": {"application/json": answer}}
                },
            }
        }
    every = " ".join(HOSTILE)
    info = {"title": every, "version": every, "description": every}
    api = {"openapi": "3.1.0", "info": info, "servers": [{"url": "https://a.example"}]}
    source = tmp_path / "api.json"
    source.write_text(json.dumps({**api, "paths": paths}))
    with served(generated(tmp_path, source)) as server:
        shown(chromium, server.url)
        elements = chromium.run("document.querySelectorAll('script, style, link, meta').length")
        for number, text in enumerate(HOSTILE):
            assert call(chromium, f"tool{number}").startswith("answered"), text
            there = chromium.run("document.getElementById('main').textContent")
            assert text.partition("\u2028")[0] in there
            for tab in range(4):
                chromium.run(f"document.querySelectorAll('#result .tabs button')[{tab}]?.click()")
            assert chromium.run("window.taken") is None, text
        assert chromium.run("document.querySelectorAll('img, iframe, object, base').length") == 0
        now = chromium.run("document.querySelectorAll('script, style, link, meta').length")
        assert now == elements
        quiet(chromium, server.url)
