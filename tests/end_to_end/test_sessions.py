"""Over HTTP clients before 2026-07-28 have a session only with a server that needs one."""

from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from runtime.serving import HEADERS, INITIALIZE, in_thread
from tables import table

from mcpgen.runtime.app.parts import Parts
from mcpgen.runtime.parts import changes, http, prompts, questions, updates
from mcpgen.runtime.parts.http.sessions import are_kept
from mcpgen.runtime.parts.http.settings import HttpSettings

from .servers import Server, generate_from, imported, openapi
from .upstream import Answer

GET = {"operationId": "getPet", "responses": {"200": {"description": "a pet"}}}
READS = """    told = ctx.client_info
    return {"client": told.name if told else None}
    return await"""


@pytest.fixture(scope="module")
def pets(upstream, tmp_path_factory):
    """A server of HTTP tools alone."""
    folder = tmp_path_factory.mktemp("without_sessions")
    return generate_from(openapi("Pets alone", {"/pet": {"get": GET}}), folder, upstream)


def opened(pets: Server, **settings: Any) -> tuple[str | None, Any]:
    """The session of an older client, if it has one, and what its call is answered."""
    made = HttpSettings(base_url=pets.upstream.url, **settings)
    pets.upstream.answer = Answer.of({"name": "Rex"})

    async def use(url: str) -> Any:
        async with Client(url, mode="legacy", read_timeout_seconds=20) as client:
            return (await client.call_tool("getPet", {})).structured_content

    with in_thread(pets.module("server").create_app(made)) as base:
        answer = httpx2.post(f"{base}/mcp", json=INITIALIZE, headers=HEADERS)
        return answer.headers.get("mcp-session-id"), anyio.run(use, f"{base}/mcp")


def test_a_server_of_http_tools_keeps_none(pets):
    session, result = opened(pets)
    assert (session, result) == (None, {"name": "Rex"})
    session, result = opened(pets, http_stateless=False)
    assert session
    assert result == {"name": "Rex"}


@pytest.fixture
def reading(pets):
    """The server whose handler was made to read who the client is."""
    (path,) = (pets.folder / pets.package / "handlers").glob("[!_]*.py")
    before = path.read_text()
    assert before.count("    return await") == 1
    path.write_text(before.replace("    return await", READS))
    yield imported(pets.folder, pets.upstream)
    path.write_text(before)


def test_the_check_says_what_a_server_loses_that_needs_sessions(reading, capsys, monkeypatch):
    main, prefix = reading.module("server").APP.main, reading.api.env_prefix
    monkeypatch.setenv(f"{prefix}_HTTP_STATELESS", "true")
    check = ["--check", "--base-url", reading.upstream.url]
    assert main(check) == 0
    assert f"{prefix}_HTTP_STATELESS: clients before 2026-07-28" in capsys.readouterr().out
    monkeypatch.delenv(f"{prefix}_HTTP_STATELESS")
    assert main(check) == 0
    assert "HTTP_STATELESS" not in capsys.readouterr().out


def test_one_whose_handler_reads_who_the_client_is_does(reading):
    session, result = opened(reading)
    assert session
    assert result == {"client": "mcp"}
    assert opened(reading, http_stateless=True) == (None, {"client": None})


@table(
    "line, needs",
    ("await ctx.ask('How large?', form)", True),
    ("await ctx.log('info', 'a line')", True),
    ("able = ctx.client_capabilities", True),
    ("kept[ctx.session_id] = 1", True),
    ("await ctx.request.session.send_request(sampling, Result)", True),
    ("await ctx.api.send('POST', '/ask', json={'session_id': session_id})", False),
    ("await ctx.report_progress(1, 2)", False),
)
def test_what_handlers_need_one_for(tmp_path, monkeypatch, line, needs):
    name = f"needing_{abs(hash(line))}"
    for path, text in {
        "__init__.py": "",
        "handlers/pets.py": line,
        "_runtime/a.py": ".ask(",
    }.items():
        place = tmp_path / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    app = SimpleNamespace(package=name, parts=Parts(()))
    assert are_kept(app, HttpSettings()) is needs


@table(
    "part, needs",
    (http, False),
    (prompts, False),
    (questions, True),
    (updates, True),
    (changes, True),
)
def test_which_parts_need_one(pets, part, needs):
    app = SimpleNamespace(package=pets.package, parts=Parts([part]))
    assert are_kept(app, HttpSettings()) is needs
