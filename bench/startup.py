"""Start-up: from a process's start to the whole answer of `tools/list`, and its memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Start:
    """One start of a server."""

    seconds: float
    mebibytes: float
    tools: int
    list_bytes: int
    listed: Sequence[Mapping[str, Any]] = field(default=(), repr=False)


def start(command: Sequence[str], folder: Path) -> Start:
    """Start a server, list its tools, and stop it."""
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        try:
            return _listed(process, began)
        except _Stopped as stopped:
            errors.seek(0)
            told = errors.read()[-2000:].decode(errors="replace")
            raise RuntimeError(f"{stopped}: {told}") from None
        finally:
            process.kill()
            process.communicate()


def _environment() -> dict[str, str]:
    """The environment, with paths that lead to the same places from every folder."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in paths if p)}


class _Stopped(Exception):
    """A server ended before it answered."""


def _listed(process: subprocess.Popen[bytes], began: float) -> Start:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    _ask(process, 1, "initialize", {**hello, "clientInfo": {"name": "bench", "version": "1"}})
    _send(process, {"method": "notifications/initialized"})
    tools: list[Mapping[str, Any]] = []
    size, cursor = 0, None
    while True:
        params = {"cursor": cursor} if cursor else {}
        answer, length = _ask(process, 2, "tools/list", params)
        tools += answer["tools"]
        size += length
        cursor = answer.get("nextCursor")
        if not cursor:
            break
    seconds = time.perf_counter() - began
    return Start(seconds, _memory(process.pid), len(tools), size, tools)


def median(starts: Sequence[Start]) -> Start:
    """The start of median time."""
    middle = statistics.median_low([s.seconds for s in starts])
    return next(s for s in starts if s.seconds == middle)


def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()


def _ask(
    process: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]
) -> tuple[dict[str, Any], int]:
    _send(process, {"id": number, "method": method, "params": params})
    assert process.stdout
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == number:
            return message["result"], len(line)
    raise _Stopped(f"the server stopped before it answered {method}")


def _memory(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
