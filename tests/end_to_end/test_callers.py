"""Callers with names, what operators watch, and what neither shows: one process, two callers."""

import json
import re
import shlex
import socket
import subprocess
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
import searchable
from prepared import python
from runtime.serving import Process, asked, current, process

from bench.calls import free_port

from .servers import Server, generate
from .upstream import Answer

parser = pytest.importorskip("prometheus_client.parser")

PAGE = (Path(__file__).parents[2] / "docs" / "callers.md").read_text("utf-8")
FILE = "VETS_HTTP_TOKENS_FILE"
ANSWER = {"id": 7, "name": "Rex", "access_token": "canary-of-the-api", "token_type": "bearer"}
_LABELS = ("tool", "host", "outcome", "status")
HOOKS = '''"""Logs two lines."""

import logging


def after_response(response):
    """Say what came."""
    logging.getLogger(__name__).warning("answered:\\n%s\\n", response.status)
'''


@pytest.fixture(scope="module")
def vets(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("vets")
    source = searchable.written(folder)
    source.write_text(source.read_text().replace("https://a.example/t", f"{upstream.url}/t"))
    (folder / "made").mkdir()
    (folder / "made" / "mcpgen.toml").write_text("http_tokens = true\nmetrics = true\n")
    options = ("--surface", "search", "--package", "vets", "--force")
    made = generate(source, folder / "made", upstream, *options)
    (made.folder / "vets" / "hooks.py").write_text(HOOKS)
    return made


def command(server: Server, *flags: str, **environ: str) -> tuple[int, str, str]:
    """The exit code of the server's command line, and what it says on stdout and stderr."""
    app = server.module("server").APP
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as said:
        patch.setattr("os.environ", environ)
        with redirect_stderr(StringIO()) as told:
            code = app.main(flags)
    return code, said.getvalue(), told.getvalue()


def new(server: Server, path: Path, *flags: str) -> str:
    code, token, told = command(server, "--new-token", *flags, **{FILE: str(path)})
    assert (code, told) == (0, f"the token of {flags[0]}, which is shown this once:\n")
    return token.strip()


def test_scopes_that_no_tool_needs_are_told_with_the_token(vets, tmp_path):
    flags = ("--new-token", "nora", "--scopes", "pets:read pets:raed pets:write walk")
    code, _, told = command(vets, *flags, **{FILE: str(tmp_path / "tokens")})
    assert (code, told.splitlines()[1:]) == (0, ["no tool needs pets:raed, walk"])


def test_the_recipe_of_a_container_lets_callers_in(vets, tmp_path):
    """Its lines as they are run in the image, with the folder that they mount."""
    page = (vets.folder / "DEPLOY.md").read_text("utf-8")
    recipe = page.partition("### In containers")[2].partition("\n```\n")[0]
    (variable, place), *_ = re.findall(r"printf '(\w+)=(\S+)\\n' >> \.env && mkdir tokens", recipe)
    image = recipe.partition("docker build -t ")[2].split()[0]
    runs = re.findall(rf"(?m)^docker run .*tokens:/etc/tokens\S* .*? ?{image} (.*)$", recipe)
    environ = {variable: place.replace("/etc/tokens", str(tmp_path)), "VETS_PUBLIC_HOSTS": "a"}
    for run, said in zip(runs, ("the token of NAME", ""), strict=True):
        code, _, told = command(vets, *shlex.split(run), *(() if said else ("--check",)), **environ)
        assert (code, said in told) == (0, True), told


@dataclass
class Run:
    """A served process, its two callers' tokens, and where it is watched."""

    process: Process
    tokens: dict[str, str]
    file: Path
    port: int
    audit: Path

    def ask(self, who: str, method: str, path: str = "", **params: Any) -> dict[str, Any]:
        return asked(f"{self.process.url}{path}", self.tokens[who], method, **params)

    def call(self, who: str, tool: str, **arguments: Any) -> httpx2.Response:
        message, headers = current(tool, arguments)
        headers |= {"Authorization": f"Bearer {self.tokens[who]}"}
        return httpx2.post(self.process.url, json=message, headers=headers)

    def scrape(self) -> str:
        return httpx2.get(f"http://127.0.0.1:{self.port}/metrics").text


@pytest.fixture
def served(vets, tmp_path):
    path, audit, port = tmp_path / "tokens", tmp_path / "audit", free_port()
    shown = re.findall(r"(?m)^bookshop-mcp --new-token (.*)$", PAGE.replace("books:", "pets:"))
    tokens = {line.split()[0]: new(vets, path, *line.split()) for line in shown}
    vets.upstream.answer, vets.upstream.seen = Answer(body=json.dumps(ANSWER).encode()), []
    environ = {
        FILE: str(path),
        "VETS_BASE_URL": vets.upstream.url,
        "VETS_LOGIN_CLIENT_ID": "id",
        "VETS_LOGIN_CLIENT_SECRET": "canary-of-the-server",
        "VETS_METRICS": f"127.0.0.1:{port}",
        "VETS_PUBLIC_HOSTS": "vets.example",
        "VETS_AUDIT": str(audit),
        "VETS_LOG_FORMAT": "json",
        "VETS_LOG_LEVEL": "DEBUG",
        "VETS_CALLS_PER_MINUTE_BY_TOOL": "getPet: 2",
    }
    with process(vets.folder, "vets", "--http", "127.0.0.1:0", **environ) as running:
        yield Run(running, tokens, path, port, audit)


HOSTS = {
    200: (
        "127.0.0.1:9",
        "LocalHost",
        "[::1]:9100",
        "10.2.3.4:9100",
        "bookshop:9100",
        "vets.example",
    ),
    421: (
        *("evil.example", "localhost.evil.example:9100", "10.2.3.4.example"),
        *("localhost:80@evil.example", "10.2.3.4:9100.example", "localhost:x"),
    ),
}


def test_metrics_are_for_no_page_of_a_foreign_site(served):
    assert httpx2.get(f"{served.process.base}/healthz").status_code == 200
    for status, hosts in HOSTS.items():
        for host in hosts:
            url = f"http://127.0.0.1:{served.port}/metrics"
            answer = httpx2.get(url, headers={"Host": host})
            assert (host, answer.status_code) == (host, status)
            assert ("mcp_calls" in answer.text) == (status == 200)
            assert ("VETS_PUBLIC_HOSTS" in answer.text) == (status == 421)


def test_two_callers_and_what_each_may_know(served):
    both_see(served)
    both_call(served)
    counted = served.scrape()
    for name in re.findall(r"(?m)^\| `(mcp_\w+)`", PAGE):
        assert f"\n{name}" in counted
    assert samples(counted, "mcp_calls_total") == {
        ("getPet", "ok"): 3,
        ("getPet", "limited"): 1,
        ("deletePet", "ok"): 1,
        ("deletePet", "forbidden"): 1,
        ("", "ok"): 2,
        ("", "refused"): 1,
    }
    assert samples(counted, "mcp_api_requests_total") == {("127.0.0.1", "200"): 4}
    assert samples(counted, "mcp_token_renewals_total") == {("127.0.0.1", "ok"): 2}
    assert samples(counted, "mcp_call_seconds_count")[("getPet",)] == 4
    lines = [json.loads(line) for line in served.audit.read_text().splitlines()]
    assert [line["caller"]["client"] for line in lines if line.get("tool") == "getPet"] == [
        *("rita", "rita", "rita", "wim")
    ]
    taken_away(served)
    said = "".join(served.process.said)
    events = [json.loads(line) for line in said.splitlines()]
    access = {"client", "method", "path", "status"}
    for event in events:
        assert event.keys() - access == {"time", "level", "logger", "message"}
        assert event.keys() & access in (set(), access)
    assert [event["message"] for event in events].count("answered:\n200\n") == 4
    for secret in (*served.tokens.values(), "canary", "471147", "no-such-tool"):
        assert secret not in said
    for secret in (*served.tokens.values(), *served.tokens, "canary", "471147", "no-such-tool"):
        assert secret not in counted


def both_see(run: Run) -> None:
    """Rita finds nothing that she may not call, on any path."""
    for who, may in (("rita", False), ("wim", True)):
        listed = json.dumps([run.ask(who, "tools/list", path) for path in ("", "/tools")])
        found = run.call(who, "find_tools", query="remove pet").text
        assert ("deletePet" in listed, "deletePet" in found) == (may, may)


def both_call(run: Run) -> None:
    """Rita reaches her limit, which is not Wim's, and what she may not call."""
    for _ in range(2):
        assert run.call("rita", "getPet", petId=471147).json()["result"]["structuredContent"]
    assert "2 calls a minute of `getPet` from you" in run.call("rita", "getPet", petId=471147).text
    assert run.call("wim", "getPet", petId=471147).json()["result"]["structuredContent"]
    assert run.call("wim", "deletePet", petId=471147).status_code == 200
    refused = run.call("rita", "deletePet", petId=471147)
    assert (refused.status_code, 'scope="pets:write"' in refused.headers["WWW-Authenticate"]) == (
        403,
        True,
    )
    assert "error" in run.call("wim", "no-such-tool").json()


def taken_away(run: Run) -> None:
    """Rita's line goes, as the page says; a file that is half written then keeps Wim in."""
    began = time.monotonic()
    (shown,) = re.findall(r"(?m)^sed .*$", PAGE)
    line = shown.replace(" tokens", f" {shlex.quote(str(run.file))}")
    subprocess.run(["bash", "-c", line], check=True)
    (wims,) = run.file.read_text().splitlines(keepends=True)
    while run.call("rita", "find_tools", query="pet").status_code != 401:
        assert time.monotonic() < began + 10
        time.sleep(0.2)
    run.file.write_text(wims[:-20])
    while not any("no line end" in line for line in run.process.said):
        assert run.call("wim", "find_tools", query="pet").status_code == 200
        assert time.monotonic() < began + 20
        time.sleep(0.2)


def samples(text: str, name: str) -> dict[tuple[str, ...], float]:
    """The values of a metric by its labels; the method of calls is always the same."""
    return {
        tuple(each.labels[key] for key in _LABELS if key in each.labels): each.value
        for family in parser.text_string_to_metric_families(text)
        for each in family.samples
        if each.name == name
    }


def test_an_address_in_use_ends_the_server_with_a_message(vets):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        environ = {"VETS_BASE_URL": vets.upstream.url, "VETS_METRICS": address}
        environ["VETS_HTTP_ANONYMOUS"] = "true"
        code, _, told = command(vets, "--http", "127.0.0.1:0", **environ)
        made = "import vets.server as s; s.create_app()"
        worker = subprocess.run(
            python("-c", made), cwd=vets.folder, env=environ, capture_output=True, text=True
        )
        assert command(vets, "--list", **environ)[0] == 0
    said = f"VETS_METRICS: cannot listen on {address}: Address already in use."
    assert (code, told.count("\n")) == (2, 1)
    assert said in told
    assert (worker.returncode, worker.stderr.count("\n")) == (3, 1)
    assert said in worker.stderr
    _, _, told = command(vets, "--check", VETS_METRICS="nowhere:http")
    assert told == "vets: VETS_METRICS must be HOST:PORT, such as 127.0.0.1:9100\n"


def test_a_server_without_them_refuses_to_start_open(upstream, tmp_path, capsys):
    plain = generate(
        searchable.written(tmp_path), tmp_path / "made", upstream, "--package", "plain"
    )
    for variable, switch in ((FILE, "http_tokens"), ("VETS_METRICS", "metrics")):
        name = variable.replace("VETS", "PLAIN")
        code, _, told = command(plain, "--check", **{name: "9100"})
        refused = f"plain: {name}: this server cannot do that: generate it with `{switch} = true`\n"
        assert (code, told) == (2, refused)
    with pytest.raises(SystemExit):
        plain.module("server").APP.main(["--help"])
    assert "--new-token" not in capsys.readouterr().out
    for path in plain.folder.rglob("*"):
        if path.suffix in (".py", ".toml"):
            assert not {*re.findall("prometheus_client|NamedTokens:", path.read_text())}, path
    assert "TOKENS_FILE" not in (plain.folder / "DEPLOY.md").read_text()
