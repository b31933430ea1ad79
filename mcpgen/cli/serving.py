"""`mcpgen serve`: a server in a temporary folder, which runs until the user stops it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from .. import settings, source
from ..diagnostics import INTO_SETTINGS, Diagnostic, Diagnostics, GenerationError
from ..processes.temporary_files import scratch_folder
from ..readers import are_of_tool_file
from ..readers.all_sources import source_options
from ..servers import Result, generate_to_try
from ..settings import KEYS, Settings
from ..settings.values import COMMANDS
from ..source.access import is_url
from .output import complain, print_lines, tell
from .progress import Progress
from .summary import cost_of

if TYPE_CHECKING:
    from ..generate import Generated

_NEEDED = ("mcp", "httpx2", "starlette", "uvicorn")
_INSTALLATION = "pip install 'mcpgen[serve]'"
_ADDRESS_UNLESS_TAKEN = ("127.0.0.1", 8000)
_ADDRESS = re.compile(r"(http://\S+:)(\d+)(\S*)$")
_BASE_URL = re.compile(rf'Write `base_url = "([^"`]*)"` {re.escape(INTO_SETTINGS)}')
_POLL_SECONDS = 0.3
"""Seconds between two looks at the files."""
_STOP_SECONDS = 10.0
"""Seconds in which a server ends that is asked to."""
_WAITING = """import json, runpy, sys
import httpx2, mcp.server.streamable_http_manager, starlette.applications, uvicorn
sys.argv = json.loads(sys.stdin.readline() or "[]") or sys.exit()
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""What imports all that servers share while one is generated, and then runs that."""
_EXIT_CODE_OF_SIGINT = 130
"""The exit code after Ctrl+C."""
_PAGE_SIZE = 100
"""Tools on a page of tools/list: a browser shows the first ones while it asks for more."""
_KEEPS = "To keep it (with --page, the page too):"
_MAX_TOOLS = 12
"""Tools that are named."""


def serve(flags: Mapping[str, Any], *, http: str, stdio: bool, mock: bool, reload: bool) -> int:
    """Generate a server into a temporary folder and run it; returns the exit code."""
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        complain([f"serve needs {', '.join(missing)}; to install them: {_INSTALLATION}"])
        return 1
    with _signals_raised(), scratch_folder() as folder:
        trial = Trial(folder, flags, mock=mock)
        try:
            if not stdio:
                trial.prepare()
            if not trial.generate():
                return 1
            code = trial.speak() if stdio else trial.run(http or _free_address(), reload=reload)
        except KeyboardInterrupt:
            code = _EXIT_CODE_OF_SIGINT
        finally:
            trial.stop()
    if code in (0, _EXIT_CODE_OF_SIGINT):
        print_lines(["", f"The server is gone. {_KEEPS}", f"  {trial.keeping}"], sys.stderr)
    return code


def _free_address() -> str:
    """127.0.0.1:8000, or any free port of this machine if that one is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(_ADDRESS_UNLESS_TAKEN)
        except OSError:
            return "0"
    return "{}:{}".format(*_ADDRESS_UNLESS_TAKEN)


def _with_flags(item: Diagnostic) -> Diagnostic:
    """The diagnostic, with `--base-url` in its hint instead of a line for mcpgen.toml."""
    hint = _BASE_URL.sub(r"Give `--base-url \1`", item.hint)
    kept = f"{INTO_SETTINGS} of the server that you keep"
    return replace(item, hint=hint.replace(INTO_SETTINGS, kept))


class Trial:
    """A trial server in a folder that is removed afterwards."""

    def __init__(self, folder: Path, flags: Mapping[str, Any], *, mock: bool) -> None:
        self._folder = folder
        self._flags = dict(flags)
        self._mock = mock
        self._process: subprocess.Popen[str] | None = None
        self.result = Result(str(folder))

    def generate(self) -> bool:
        """Generate the server, or regenerate it; prints any errors."""
        if "reader" not in self._flags:
            try:
                self._flags["reader"] = _reader(self._flags)
            except GenerationError as error:
                tell(error.diagnostics)
                return False
        asked = {**self._flags, "page": True}
        with Progress() as progress:
            result = generate_to_try(self._folder, asked, progress)
        tell(
            [_with_flags(each) for each in result.diagnostics],
            whole=shlex.join(["mcpgen", "inspect", self._flags["source"], "--all"]),
        )
        complain(result.errors)
        if result.generated is not None:
            self.result = result
        return result.generated is not None

    @property
    def generated(self) -> Generated:
        """The result of the latest generation."""
        assert self.result.generated is not None
        return self.result.generated

    def speak(self) -> int:
        """Serve over stdio, with this process's own streams; returns the exit code."""
        command = [sys.executable, "-P", "-m", *self._words()]
        self._process = subprocess.Popen(command, env=self._environment(), text=True)
        return _ended(self._process)

    @property
    def keeping(self) -> str:
        """The command that generates the same server permanently."""
        return _command(self._flags)

    def run(self, address: str, *, reload: bool) -> int:
        """Serve over HTTP until the server ends; returns its exit code.

        With `reload`, it is restarted after changes.
        """
        files = _Files(self._paths()) if reload else None
        url = self._start(address)
        if url:
            self._introduce(url, files)
        while True:
            with suppress(subprocess.TimeoutExpired):
                return self._running.wait(_POLL_SECONDS if files else None)
            if files and files.have_changed():
                address = self._anew(address, url)
                files = _Files(self._paths())

    def _anew(self, address: str, url: str) -> str:
        """Regenerate and restart the server at the same URL; returns the server's address.

        If the generation fails, the previous server keeps running.
        """
        _say("A file has changed: generating again.")
        if not self.generate():
            _say("The previous server keeps running.")
            return address
        if port := _ADDRESS.match(url):
            address = f"{address.rpartition(':')[0] or '127.0.0.1'}:{port[2]}"
        self.stop()
        self.prepare()
        self._start(address)
        _say(f"{self._title()} at {url}")
        return address

    def prepare(self) -> None:
        """Start the process that will serve over HTTP; it imports its modules and waits."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _WAITING],
            env=self._environment(),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )

    @property
    def _running(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    def _start(self, address: str) -> str:
        """Let the process serve; returns its URL, or an empty string if the process has ended."""
        process = self._running
        assert process.stdin is not None
        assert process.stderr is not None
        with suppress(BrokenPipeError), process.stdin as words:
            words.write(json.dumps([*self._words(), "--http", address, *self._pages()]) + "\n")
        for line in process.stderr:
            if found := _ADDRESS.search(line.rstrip()):
                threading.Thread(target=_pass_on, args=(process.stderr,), daemon=True).start()
                return found[0]
            sys.stderr.write(line)
        return ""

    def stop(self) -> None:
        """Stop the process, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            _ended(self._process)

    def _words(self) -> list[str]:
        """The command-line words for `python -m`: the package and its flags."""
        return [self.generated.names.package, *(["--mock"] if self._mock else [])]

    def _pages(self) -> list[str]:
        """The flag for the page size of the trial server, unless the user gave one."""
        return [] if "page_size" in self._flags else ["--page-size", str(_PAGE_SIZE)]

    def _environment(self) -> dict[str, str]:
        places = filter(None, (str(self._folder), os.environ.get("PYTHONPATH")))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(places)}

    def _title(self) -> str:
        count = len(self.generated.api.tools)
        tools = "1 tool" if count == 1 else f"{count:,} tools"
        return f"{self.generated.names.server}: {tools}, {cost_of(self.result, self.generated)[0]}"

    def _introduce(self, url: str, files: _Files | None) -> None:
        """Print the address, tools, missing credentials, and the command to keep the server."""
        tools = self.generated.api.tools
        width = max((len(tool.name) for tool in tools[:_MAX_TOOLS]), default=0)
        shown = [(tool.name, tool.title or "") for tool in tools[:_MAX_TOOLS]]
        lines = [f"  {a:{width}}  {'' if a == b else b}".rstrip() for a, b in shown]
        if len(tools) > _MAX_TOOLS:
            lines.append(f"  and {len(tools) - _MAX_TOOLS:,} more")
        add = f"claude mcp add --transport http {self.generated.names.server} {url}"
        watched = " It restarts when a file changes." if files else ""
        _say(self._title(), *lines, "", f"Try them in a browser:  {url}")
        _say(f"In Claude Code:         {add}", *self._unset(), "")
        _say(f"Ctrl+C ends it and leaves nothing.{watched} {_KEEPS}", f"  {self.keeping}")

    def _unset(self) -> Iterator[str]:
        """A line with the credentials' environment variables, if none of them is set."""
        variables = self.generated.package.variables
        names = [each.name for each in variables if each.signs_in and each.usual]
        if names and not self._mock and not any(map(os.environ.get, names)):
            yield f"No credential is set:   {' or '.join(names)}; without it, try --mock"

    def _paths(self) -> list[Path]:
        """The files that the server was generated from."""
        lock = self.generated.lock
        first = Path(self._flags["source"])
        return [first.parent / name for name in lock.sources if not is_url(name)]


class _Files:
    """The files of a document, with their states when this object was made."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = list(paths)
        self._before = self._states()

    def have_changed(self) -> bool:
        """Whether a file has changed and is stable now: an editor may still be writing it."""
        now = self._states()
        if now == self._before:
            return False
        time.sleep(_POLL_SECONDS)
        return now == self._states()

    def _states(self) -> list[object]:
        return [_state(path) for path in self._paths]


def _state(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _reader(flags: Mapping[str, Any]) -> str:
    """The reader for the first document, `tools` or `openapi`; raises GenerationError."""
    reading = settings.override(Settings(), {k: v for k, v in flags.items() if k != "source"})
    value = source.Files(flags["source"], source_options(reading), Diagnostics()).root.value
    return "tools" if isinstance(value, dict) and are_of_tool_file(value) else "openapi"


def _command(flags: Mapping[str, Any]) -> str:
    """The command that generates the same server permanently."""
    words = []
    for key, value in flags.items():
        if key in ("source", "reader"):
            continue
        flag = KEYS[key].row.flag.partition(" ")[0]
        for each in value if isinstance(value, list | tuple) else [value]:
            words += [flag] if each is True else [flag, str(each)]
    command = COMMANDS[flags.get("reader", "openapi")]
    return shlex.join(["mcpgen", command, flags["source"], *words, "-o", "server"])


def _say(*lines: str) -> None:
    """Print lines and flush them, so that they appear at once even in a pipe."""
    print_lines(lines)
    sys.stdout.flush()


def _pass_on(lines: Iterable[str]) -> None:
    with suppress(ValueError, OSError):  # whoever reads them, or writes, has gone
        for line in lines:
            sys.stderr.write(line)
            sys.stderr.flush()


def _ended(process: subprocess.Popen[str]) -> int:
    """Wait for a process and return its exit code; kill it if it does not end on request."""
    try:
        return process.wait(None if process.stderr is None else _STOP_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.terminate()
        with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            return process.wait(_STOP_SECONDS)
        process.kill()
        return process.wait()


@contextmanager
def _signals_raised() -> Iterator[None]:
    """Turn signals that end the process into an exception, so that everything is cleaned up."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
