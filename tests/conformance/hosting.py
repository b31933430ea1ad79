"""The generated server that the suite and the clients are run against, and its API."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Served:
    """A server that is running over HTTP, and the command that runs it over stdio."""

    url: str
    folder: Path
    command: tuple[str, ...]


def installed(modules: Path, script: str) -> tuple[str, str]:
    """The paths of node, and of a script of an installed package."""
    return str((modules / ".bin/node").resolve()), str((modules / script).resolve())


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int, **more: str) -> Iterator[None]:
    """A process that listens on a port, until the block ends."""
    process = subprocess.Popen(command, env={**os.environ, **more})
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None:
                raise SystemExit(f"{command} ended with {process.returncode}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(20)


PINNED = ("json_schema_2020_12_tool", "test_region")
"""Tools that scenarios look for in the list."""


def _pin(folder: Path) -> None:
    """List some tools beside those of the search surface."""
    with (folder / "mcpgen.toml").open("a", encoding="utf-8") as settings:
        settings.writelines(f"\n[tools.{name}]\npinned = true\n" for name in PINNED)
    command = [sys.executable, "-m", "mcpgen", "update", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def generate(folder: Path, surface: str = "tools") -> Path:
    """Generate the server and fill its functions in."""
    command = [sys.executable, "-m", "mcpgen", "from-schema", str(HERE / "tools.yaml")]
    command += ["-o", str(folder), "--surface", surface]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    if surface == "search":
        _pin(folder)
    package = next(folder.glob("*/tools.json")).parent
    for path in (HERE / "filled").glob("*.py"):
        home = package / "handlers" if (package / "handlers" / path.name).exists() else package
        shutil.copy(path, home / path.name)
    return package


@contextmanager
def served(scratch: Path, surface: str = "tools", *, stateless: bool = False) -> Iterator[Served]:
    """The generated server with its API behind it; `stateless`: no client has a session."""
    package = generate(scratch / "server", surface)
    port, api = free_port(), free_port()
    upstream = [sys.executable, str(HERE / "upstream.py"), str(api)]
    serve = [sys.executable, "-m", package.name, "--base-url", f"http://127.0.0.1:{api}"]
    http = [*serve, "--http", f"127.0.0.1:{port}"]
    own = {"PYTHONPATH": str(package.parent), "CONFORMANCE_HTTP_STATELESS": str(stateless)}
    with running(upstream, api), running(http, port, **own):
        yield Served(f"http://127.0.0.1:{port}/mcp", package.parent, tuple(serve))
