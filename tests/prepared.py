"""Python programs that need the SDK, started in a moment.

To import `mcp` takes longer than most tests, and hundreds of them start a program that does. So one
process imports it, for all workers of a test session, and each program is a fork of that: it has
the streams, the folder and the environment that it would have otherwise, ends as it would, and gets
signals as it would. The process that a test starts and waits for passes them on.

Tests of what a process itself is (its memory, its descriptors, its start) run `sys.executable`.
"""

import atexit
import gc
import marshal
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path
from typing import NoReturn

NEEDED = (
    *("anyio._backends._asyncio", "httpx2", "jsonschema", "mcp.server.stdio", "pytest", "uvicorn"),
    *("mcpgen.cli.app", "mcpgen.cli.actions", "mcpgen.generate", "mcpgen.models.codegen"),
    *("mcpgen.merge.modules", "mcpgen.render.templating", "_pytest.config", "pdb"),
    *("mcpgen.cases", "mcpgen.cli.main", "mcpgen.cli.summary", "mcpgen.source.parse_yaml"),
    *("datamodel_code_generator.parser.openapi", "datamodel_code_generator.model.typed_dict"),
    *("jsonschema_rs.canonical.json", "jsonschema_rs.canonical.schema"),
)
ASK = str(Path(__file__).with_name("ask_prepared.py"))
ADDRESS = "TESTS_PREPARED_PROCESS"
"""The variable in which workers find where it listens."""


def python(*arguments: str) -> list[str]:
    """A command that does what `python -m MODULE ARGUMENTS` or `python -c CODE ARGUMENTS` does."""
    if sys.platform != "linux":
        return [sys.executable, *arguments]
    assert arguments[0] in ("-m", "-c")
    address = os.environ.get(ADDRESS) or start()
    return [sys.executable, "-I", "-S", ASK, address, *arguments]


def start() -> str:
    """Start the process, which imports once a program is asked for; returns where it listens.

    It serves the processes that this one starts from now on, too, and ends with this one.
    """
    folder = tempfile.TemporaryDirectory(prefix="prepared-")
    atexit.register(folder.cleanup)
    address = str(Path(folder.name) / "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    # Once this process has ended, nobody holds the other end of its stdin.
    process = subprocess.Popen(
        [sys.executable, __file__, str(listener.fileno())],
        stdin=subprocess.PIPE,
        pass_fds=[listener.fileno()],
    )
    listener.close()
    atexit.register(process.wait)
    assert process.stdin is not None
    atexit.register(process.stdin.close)
    os.environ[ADDRESS] = address
    return address


def _serve(listener: socket.socket) -> list[str]:
    """Fork for each program that is asked for; returns in the fork, with what it is to run."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system waits for those that watch
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the tests
    while True:
        if sys.stdin in select.select([listener, sys.stdin], [], [])[0]:
            os._exit(0)
        connection, _ = listener.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            listener.close()
            return _start(connection)
        connection.close()


def _start(connection: socket.socket) -> list[str]:
    """Start a program, and watch it; returns in the program."""
    size, streams, _, _ = socket.recv_fds(connection, 4, 3)
    asked = b""
    while len(asked) < int.from_bytes(size, "big"):
        more = connection.recv(1 << 20)
        if not more:
            os._exit(0)  # whoever asked was killed meanwhile
        asked += more
    arguments, folder, environ = marshal.loads(asked)
    if process := os.fork():
        for stream in streams:
            os.close(stream)
        _watch(process, connection)
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Not the streams of before: whether they could be sought in was found when they were opened.
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    return list(arguments)


def _watch(process: int, connection: socket.socket) -> NoReturn:
    """Pass signals on to a program and its end back; without anybody who asks, it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended = os.pidfd_open(process)
    while ended not in select.select([ended, connection], [], [])[0]:
        number = connection.recv(1)
        os.kill(process, number[0] if number else signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    try:
        connection.sendall(code.to_bytes(4, "big", signed=True))
    finally:
        os._exit(0)


def _warm_up() -> None:
    """Do what pytest and mcpgen do once in a process: load plugins, compile templates."""
    for name in sys.modules["_pytest.config"].default_plugins:
        import_module(f"_pytest.{name}")
    environment = sys.modules["mcpgen.render.templating"].Templates()._environment
    for template in environment.list_templates(filter_func=lambda name: "mcpgen/" not in name):
        if template.endswith(".jinja"):
            environment.get_template(template)


def _ended(arguments: list[str]) -> int:
    """Run a program, and do what Python does as it ends; its exit code.

    But what was imported before it stays: to take that apart takes longer than most programs do.
    An error, and what cannot be written any more, is left to Python itself.
    """
    before = {*sys.modules}
    try:
        _run(*arguments)
        code: object = 0
    except SystemExit as end:
        code = end.code or 0
    if not isinstance(code, int):
        raise SystemExit(code)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for name in sys.modules.keys() - before:
        del sys.modules[name]
    gc.collect()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):
        sys.exit(code)  # which tries it again, and tells
    return code


def _run(flag: str, program: str, *arguments: str) -> None:
    """Do what Python does with `-m` or `-c`."""
    sys.argv = [program if flag == "-m" else flag, *arguments]
    sys.path[0] = os.getcwd()
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if flag == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    ours = socket.socket(fileno=int(sys.argv[1]))
    select.select([ours, sys.stdin], [], [])
    gc.disable()
    for name in NEEDED:
        import_module(name)
    _warm_up()
    # What is imported is for good: a fork neither looks through it nor, as it ends, takes it apart.
    gc.freeze()
    gc.enable()
    with ours:
        wanted = _serve(ours)
    os._exit(_ended(wanted) & 0xFF)
