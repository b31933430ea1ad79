"""The server as a process: lines in, lines out, and how it ends."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from line_process import LineProcess
from prepared import python
from tables import table

from .. import sample
from ..serving import INITIALIZE


class Process(LineProcess):
    """A running server."""

    def __init__(self, folder: Path, *flags: str, **environ: str) -> None:
        process = subprocess.Popen(
            python("-m", "shop_mcp", *flags),
            cwd=folder,
            env={**os.environ, **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        super().__init__(process)

    def ask(self, message: bytes | dict[str, Any]) -> dict[str, Any]:
        """Send a line and read one."""
        self.say(message)
        return self.hear()

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        params = {"name": name, "arguments": arguments}
        request = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params}
        result: dict[str, Any] = self.ask(request)["result"]
        return result

    def end(self) -> tuple[int, str]:
        """Wait for the end: the exit code, and what was logged."""
        assert self.process.stderr is not None
        code = self.process.wait(20)
        return code, self.process.stderr.read().decode()


@pytest.fixture
def start(folder):
    """Start the server; whatever still runs afterwards is killed."""
    running: list[Process] = []

    def begin(*flags: str, **environ: str) -> Process:
        running.append(Process(folder, *flags, **environ))
        return running[-1]

    yield begin
    for server in running:
        server.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_stdin_that_does_not_wait_is_waited_for(folder):
    """Whoever started the server may share it, and have it so for itself."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    command = python("-m", "shop_mcp")
    process = subprocess.Popen(command, cwd=folder, stdin=reading, stdout=subprocess.PIPE)
    os.close(reading)
    with process, os.fdopen(writing, "wb") as stdin:
        for _ in range(2):
            stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
            stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == INITIALIZE["id"]


def test_a_client_that_reads_no_log_is_served_all_the_same(start):
    """It may ignore stderr, and its pipe is full after 64 KiB."""
    logged = {"SHOP_LOG_LEVEL": "INFO", "SHOP_AUDIT": "stderr", "SHOP_AUDIT_VALUES": "true"}
    server = start("--mock", **logged)
    server.ask(INITIALIZE)
    for _ in range(150):
        assert server.call("getPet", petId=1, **{"y" * 200: "z" * 200})["isError"]
    said = server.process.stderr.read1(1 << 20).decode()
    assert server.call("getPet", petId="the last one")["isError"]
    assert not server.call("getPet", petId=99).get("isError")
    server.process.stdin.close()
    code, rest = server.end()
    assert code == 0
    lines = (said + rest).splitlines()
    assert len(said) > 1 << 15
    for log in ("the log were lost: nobody read them", "the audit log were lost: nobody read"):
        assert [line for line in lines if f"lines of {log}" in line]
    assert [line for line in lines if "the last one" in line and '"petId"' not in line]
    assert '"petId": "99"' in lines[-1]


def test_a_session_from_garbage_to_the_end_of_stdin(start):
    server = start("--mock")
    assert server.ask(b"garbage")["error"]["code"] == -32700
    assert server.ask(INITIALIZE)["result"]["serverInfo"]["name"] == "shop"
    deep = b'{"jsonrpc":"2.0","id":4,"method":"ping","params":' + b"[" * 1000 + b"]" * 1000 + b"}"
    assert server.ask(deep)["error"]["code"] == -32700
    surrogate = server.ask(b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":"\\ud800"}}')
    assert (surrogate["id"], surrogate["error"]["code"]) == (5, -32700)
    server.say(b"")
    server.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert server.call("getPet", petId=1)["structuredContent"] == {"name": "Rex"}
    assert server.call("fail", how="print")["content"][0]["text"] == "printed"
    broken = server.call("fail", how="other")
    assert broken["isError"]
    server.process.stdin.close()
    code, logged = server.end()
    assert code == 0
    assert "not protocol" in logged
    assert "sk-SECRET" in logged
    assert server.process.stdout.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_it_quietly(start, number, code):
    server = start()
    server.ask(INITIALIZE)
    server.process.send_signal(number)
    assert server.end() == (code, "")


BEGINNING = """
import sys
from contextlib import asynccontextmanager

import anyio


@asynccontextmanager
async def lifespan(server):
    await anyio.sleep(0.1)  # what the client said is read meanwhile
    print("begun", file=sys.stderr, flush=True)
    await anyio.sleep_forever()
    yield
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_signal_ends_it_quietly_while_a_handshake_waits_for_a_probe(tmp_path):
    (sample.write(tmp_path) / "hooks.py").write_text(BEGINNING)
    server = Process(tmp_path)
    try:
        server.say({"jsonrpc": "2.0", "id": 1, "method": "server/discover"}, INITIALIZE)
        assert server.process.stderr.readline() == b"begun\n"
        server.process.send_signal(signal.SIGTERM)
        assert server.end() == (143, "")
    finally:
        server.kill()


def test_a_client_that_goes_away_in_the_middle_ends_it_quietly(start):
    server = start()
    server.ask(INITIALIZE)
    server.process.stdout.close()
    server.say({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    assert server.end() == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_client_that_does_not_read_cannot_hold_it(start):
    server = start()
    server.ask(INITIALIZE)
    for number in range(200):
        server.say({"jsonrpc": "2.0", "id": number, "method": "tools/list"})
    server.process.send_signal(signal.SIGTERM)
    assert server.end() == (143, "")


def test_a_bad_setting_ends_it_at_once_by_name(start):
    code, logged = start(SHOP_TIMEOUT="secret").end()
    assert code == 2
    assert logged == "shop-mcp: SHOP_TIMEOUT must be a number of seconds above 0 and below 1e9\n"


@pytest.fixture(scope="module")
def app(folder):
    """The sample package's `APP`, whose `main` needs no process where it ends at once."""
    with sample.imported(folder, "shop_mcp") as found:
        yield found.APP


@pytest.mark.parametrize("url", ["secret", "https://u:secret@a.example"])
def test_a_bad_flag_ends_it_at_once(app, capfd, url):
    assert app.main(["--base-url", url]) == 2
    logged = capfd.readouterr().err
    assert "--base-url must" in logged
    assert "secret" not in logged


@table(
    "flags, said",
    (["--arguments", "{}"], "--arguments: not allowed without argument --call"),
    (["--list", "--call", "getPet"], "--call: not allowed with argument --list"),
    (["--check", "--list"], "--list: not allowed with argument --check"),
    (["--http", "--list"], "--http: not allowed with argument --list or --call"),
    (["--call", "getPet", "--http", ":0"], "--http: not allowed with argument --list or --call"),
)
def test_flags_of_which_one_would_go_unheeded(app, capfd, flags, said):
    with pytest.raises(SystemExit) as ended:
        app.main(flags)
    out, err = capfd.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.endswith(f"shop-mcp: error: argument {said}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX terminal")
def test_on_a_terminal_it_says_what_it_waits_for(folder):
    terminal, stdin = os.openpty()
    command = python("-m", "shop_mcp")
    with subprocess.Popen(command, cwd=folder, stdin=stdin, stderr=subprocess.PIPE) as server:
        said = server.stderr.readline()
        os.write(terminal, b"\x04")  # the end of the input
        assert server.wait(20) == 0
        assert server.stderr.read() == b""
    os.close(stdin)
    os.close(terminal)
    assert said.startswith(b"shop-mcp: waiting for an MCP client on stdin; Ctrl+C stops it")


STARTED = """
import os, sys
from shop_mcp.server import main
{before}
main()
"""
"""The server in a process that was started otherwise than usual."""


def run(
    folder: Path, *flags: str, before: str = "sys.stdout.reconfigure(encoding='ascii')"
) -> subprocess.CompletedProcess[str]:
    """The server's end; its stdout takes ASCII alone, as where `PYTHONIOENCODING` says so."""
    command = python("-c", STARTED.format(before=before), *flags)
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def test_the_tools_are_printed(folder):
    done = run(folder, "--list")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "getPet  reads        Get a pet",
        "create  destructive  Create anything ?.",
        "fail    destructive  Raise something.",
        "state   destructive  What the lifespan opened.",
    ]
    assert done.stderr == ""


def test_the_version_and_the_help_are_printed(app, capfd):
    for flag in ("--version", "--help"):
        with pytest.raises(SystemExit, match="0"):
            app.main([flag])
    version, _, said = capfd.readouterr().out.partition("\n")
    assert re.fullmatch(r"shop 1\.2\.3 \(mcpgen \S+, runtime \S+\)", version)
    assert "SHOP_BASE_URL" in said  # the variable of `--base-url`


PRINTING = ("--list", "--mock --call state")


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
@pytest.mark.parametrize("flags", PRINTING)
def test_a_reader_that_went_away_is_no_traceback(folder, flags):
    command = f"{shlex.join(python('-m', 'shop_mcp'))} {flags} | true"
    done = subprocess.run(command, cwd=folder, shell=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@table(
    "number, name, flags, code",
    (1, "stdout", ("--list",), 0),
    (0, "stdin", (), 1),
    (1, "stdout", (), 1),
)
def test_closed_streams_end_in_no_traceback(folder, number, name, flags, code):
    """Python starts with `None` for them."""
    done = run(folder, *flags, before=f"os.close({number}); sys.{name} = None")
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")
@pytest.mark.parametrize("flags", PRINTING)
def test_what_cannot_be_written_is_told(folder, flags):
    with open("/dev/full", "wb") as full:
        command = python("-m", "shop_mcp", *flags.split())
        done = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "stdout cannot be written: No space left on device\n"


def test_an_answer_in_any_encoding(folder):
    done = run(folder, "--mock", "--call", "create", "--arguments", '{"name": "Rex"}')
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, r"\xe9")
