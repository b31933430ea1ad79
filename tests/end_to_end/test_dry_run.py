"""A dry run: what would change something is shown, without credentials; reads go through."""

import json
from base64 import b64encode
from hashlib import sha256
from typing import Any

import anyio
import httpx2
import pytest
from typed import assert_typed

from .calling_tasks import ENDED, Caller, serving
from .servers import Server, packaged

HEAD = "Dry run: nothing was sent, and nothing has changed. This server would send:\n"
SECRETS = {
    "STALL_HEADER_KEY": "h-secret-1",
    "STALL_QUERY_KEY": "q secret/2",
    "STALL_COOKIE_KEY": "c-secret-3",
    "STALL_USERNAME_6B2923": "ann-secret",
    "STALL_PASSWORD_EA0FFA": "b-secret-4",
    "STALL_BEARER_TOKEN": "t-secret-5",
    "STALL_USERNAME_F7C18B": "eve-secret",
    "STALL_PASSWORD_B644E4": "d-secret-6",
    "STALL_LOGIN_CLIENT_ID": "l-secret-7",
    "STALL_LOGIN_CLIENT_SECRET": "l-secret-8",
    "STALL_SECRET": "a-secret-9",
    "STALL_MORE": '{"deep": ["m-secret-10"]}',
    "STALL_EXTRA_HEADERS": "X-Api-Token: e-secret-11\nX-Tenant: acme",
}
SETTINGS = """surface = "search"
http = true
[tools.find]
annotations.readOnlyHint = true
[tools.reset]
annotations.readOnlyHint = false
[tools.addBook]
task = "optional"
[tools.addBook.arguments]
secret.env = "STALL_SECRET"
more.env = "STALL_MORE"
[tools.export]
poll = {cancel = "DELETE", interval = 0.02}
"""
HOOKS = """

async def authenticate(request: httpx2.Request) -> bool:
    request.headers["X-Signed"] = "s-secret-12"
    return False


async def before_request(request: httpx2.Request) -> None:
    request.headers["X-Date"] = "today"
    request.headers["X-Auth-Proof"] = "s-secret-13"
"""
CALLER = """    await ctx.api.send("GET", "/books")
    try:
        await add_book(ctx, title="Dune")
    except Exception:
        await ctx.api.send("DELETE", "/books")
    return await ctx.api.send("PUT", "/shelves")
"""


@pytest.fixture(scope="module")
def stall(upstream, tmp_path_factory):
    made = packaged("stall", tmp_path_factory.mktemp("stall"), upstream, settings=SETTINGS)
    home = made.folder / made.package
    path = home / "handlers/shelves.py"
    code = path.read_text().replace('    return await ctx.api.send("PUT", "/shelves")\n', CALLER, 1)
    path.write_text(
        code.replace("import Any\n\n", "import Any\n\nfrom .books import add_book\n", 1)
    )
    hooks = home / "hooks.py"
    hooks.write_text(f"import httpx2\n{HOOKS}")
    assert_typed(made.folder, made.package)
    return made


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)


class Api:
    """The API and the authorization server in place of the network."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append(f"{request.method} {request.url.path}")
        if request.url.path == "/token":
            return httpx2.Response(200, json={"access_token": "x", "token_type": "Bearer"})
        return httpx2.Response(200, json=[])


def used(stall: Server, use: Any, **settings: Any) -> Any:
    api = Api()
    extra = (("X-Api-Token", "e-secret-11"), ("X-Tenant", "acme"))
    given = {"base_url": "https://api.example/v1", "extra_headers": extra, "dry_run": "writes"}
    made = {"surface": "tools", **given, **settings}
    return stall.use(lambda client: use(client, api), httpx2.MockTransport(api), **made)


def text_of(result: Any) -> str:
    text = "\n".join(block.text for block in result.content)
    assert not [secret for secret in SECRETS.values() if secret in text]
    assert "-secret" not in text
    return text


def request_in(result: Any) -> tuple[str, dict[str, str], str]:
    """The request of a dry run: its line, its headers, its body."""
    assert result.is_error
    assert result.meta["dryRun"] is True
    text = text_of(result)
    assert text.startswith(HEAD)
    head, _, content = text.removeprefix(HEAD).partition("\n\n")
    line, *rest = head.split("\n")
    return line, dict(row.split(": ", 1) for row in rest if not row.startswith("(")), content


def test_credentials_are_named_wherever_they_are(stall):
    async def use(client, api):
        line, headers, content = request_in(await client.call_tool("addBook", {"title": "Dune"}))
        assert line == "POST https://api.example/v1/books?key=[credential STALL_QUERY_KEY]"
        assert headers["X-Key"] == "[credential STALL_HEADER_KEY]"
        assert headers["Cookie"] == "sid=[credential STALL_COOKIE_KEY]"
        assert headers["X-Api-Token"] == "[credential STALL_EXTRA_HEADERS]"
        assert (headers["X-Tenant"], headers["X-Date"]) == ("acme", "today")
        assert headers["X-Auth-Proof"] == "[credential of hooks.py]"
        assert "X-Signed" not in headers
        assert json.loads(content) == {
            "title": "Dune",
            "secret": "[credential STALL_SECRET]",
            "more": {"deep": ["[credential STALL_MORE]"]},
        }
        for name, arguments, told in (
            (
                "dropBooks",
                {},
                "Basic [credential STALL_USERNAME_6B2923]:[credential STALL_PASSWORD_EA0FFA]",
            ),
            ("reset", {}, "Bearer [credential STALL_BEARER_TOKEN]"),
            (
                "setCover",
                {"body": "data:image/png;base64,AAECAw=="},
                "[credential STALL_PASSWORD_B644E4]",
            ),
            ("fill", {"note": "n"}, "[credential STALL_LOGIN_CLIENT_SECRET]"),
        ):
            result = await client.call_tool(name, arguments)
            assert request_in(result)[1]["Authorization"] == told
            assert "(`authenticate` in hooks.py signs it too.)" in text_of(result)
        assert not api.seen

    used(stall, use)


def test_bytes_are_summed_up(stall):
    content = bytes(range(200))
    digest = sha256(content).hexdigest()
    given = b64encode(content).decode()

    async def use(client, api):
        result = await client.call_tool("setCover", {"body": given})
        told = f"[image/png, 200 bytes, SHA-256 {digest}]"
        assert request_in(result)[2] == told
        result = await client.call_tool("fill", {"note": "a line", "file": given})
        _, headers, form = request_in(result)
        boundary = headers["Content-Type"].partition("boundary=")[2]
        assert form.count(f"--{boundary}") == 3
        assert "\n\na line\r\n--" in form.replace("\r\n\n\n", "\n\n")
        assert f"[application/octet-stream, 200 bytes, SHA-256 {digest}]" in form
        assert not api.seen

    used(stall, use)


def test_reads_go_through_and_a_handler_stops_at_its_first_write(stall):
    async def use(client, api):
        assert not (await client.call_tool("listBooks")).is_error
        assert not (await client.call_tool("find")).is_error
        assert api.seen == ["GET /v1/books", "POST /token", "POST /v1/find"]
        api.seen.clear()
        line, _, content = request_in(await client.call_tool("tidy"))
        assert line.startswith("POST https://api.example/v1/books?")
        assert json.loads(content)["title"] == "Dune"
        assert api.seen == ["GET /v1/books"]
        api.seen.clear()
        line, _, _ = request_in(await client.call_tool("export"))
        assert line == "POST https://api.example/v1/export"
        assert not api.seen

    used(stall, use)


def test_a_search_surface_shows_each_of_many(stall):
    async def use(client, api):
        assert client.instructions.startswith("Dry run: nothing is changed.")
        each = [{"title": "One"}, {"title": "Two"}]
        asked = {"name": "addBook", "each": each}
        told = text_of(await client.call_tool("call_write_tool", asked))
        assert told.count(HEAD.strip()) == 2
        assert told.index('"One"') < told.index('"Two"')
        one = await client.call_tool("call_write_tool", {"name": "addBook", "arguments": each[0]})
        assert request_in(one)[0].startswith("POST https://api.example/v1/books?")
        assert not api.seen

    used(stall, use, surface="search")


def test_a_task_ends_in_what_would_be_sent(stall):
    stall.upstream.seen = []

    async def use(one):
        task = (await one.call("addBook", title="Dune"))["taskId"]
        ended = await one.until(task, *ENDED)
        assert ended["status"] == "completed"
        assert ended["result"]["content"][0]["text"].startswith(HEAD)

    async def main():
        async with serving(
            stall, dry_run="writes", base_url=stall.upstream.url, surface="tools"
        ) as http:
            await use(Caller(http, "one"))

    anyio.run(main)
    assert not stall.upstream.seen


def test_what_callers_bring_is_named_by_its_header(stall):
    async def main():
        given = {"dry_run": "writes", "base_url": stall.upstream.url, "surface": "tools"}
        brought = (("header", "X-Stall"), ("query", "X-Query"))
        async with serving(stall, caller_auth=brought, **given) as http:
            own = {"X-Stall": "caller-secret-1", "X-Query": "Bearer caller-secret-2"}
            caller = Caller(http, "one", **own)
            ended = await caller.until((await caller.call("addBook"))["taskId"], *ENDED)
            text = ended["result"]["content"][0]["text"]
            assert "?key=Bearer%20[credential x-query]\n" in text
            assert "X-Key: [credential x-stall]\n" in text
            assert "caller-secret" not in text

    stall.upstream.seen = []
    anyio.run(main)
    assert not stall.upstream.seen


def test_without_a_credential_nothing_would_be_sent(stall, monkeypatch):
    monkeypatch.delenv("STALL_USERNAME_6B2923")
    monkeypatch.setattr(stall.module("hooks"), "authenticate", lambda request: False)

    async def use(client, _):
        result = await client.call_tool("dropBooks")
        line = "(A credential is missing, and nothing was sent. Set "
        assert text_of(result).splitlines()[-1].startswith(line)
        assert "Authorization" not in text_of(result)

    used(stall, use)


def test_flag_and_variable_and_what_the_log_says(stall, monkeypatch, capfd, caplog):
    main = stall.module("server").APP.main
    monkeypatch.setenv("STALL_BASE_URL", "https://api.example")
    assert main(["--call", "dropBooks", "--dry-run"]) == 0
    out, _ = capfd.readouterr()
    assert out.startswith(HEAD)
    assert "DELETE https://api.example/books" in out
    assert caplog.messages[0].startswith("Dry run: nothing is changed. A call that would change")
    monkeypatch.setenv("STALL_DRY_RUN", "writes")
    assert main(["--check"]) == 0
    assert "Dry run: nothing is changed." in capfd.readouterr().out
    for value, told in (("yes", "must be one of writes"), ("${DRY}", "holds `${...}`")):
        monkeypatch.setenv("STALL_DRY_RUN", value)
        assert main(["--check"]) == 2
        assert f"STALL_DRY_RUN {told}" in capfd.readouterr().err
