"""What `--healthcheck` asks, and its exit code."""

import socket

import anyio.to_thread
import pytest
from tables import table

from mcpgen.runtime.parts.http import health

from ...support import api_on_socket, raw


@pytest.fixture
def started(monkeypatch, tmp_path):
    """What the container's first process was started with."""
    path = tmp_path / "cmdline"
    monkeypatch.setattr(health, "_STARTED", path)
    return path


@table(
    "words, flag",
    (["python", "bookshop-mcp"], None),
    (["bookshop-mcp", "--http", "0.0.0.0:9000"], "0.0.0.0:9000"),
    (["docker-init", "--", "bookshop-mcp", "--http=9000", "--mock"], "9000"),
    (["bookshop-mcp", "--http", "--mock"], ""),
    (["bookshop-mcp", "--http"], ""),
)
def test_the_address_is_that_of_the_first_process(started, words, flag):
    started.write_text("\0".join([*words, ""]))
    assert health._flag() == flag
    started.unlink()
    assert health._flag() is None


@pytest.mark.parametrize(("status", "code"), [("200 OK", 0), ("503 Service Unavailable", 1)])
@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
async def test_the_answer_is_the_exit_code(started, status, code, host):
    async with api_on_socket(raw(b"", status)) as seen:
        started.write_text(f"bookshop-mcp\0--http\0{host}:{seen.port}\0")
        assert await anyio.to_thread.run_sync(health.code, None) == code


def test_a_server_that_is_gone_or_over_stdio(started):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert health.code(f"127.0.0.1:{bound.getsockname()[1]}") == 1
    started.write_text("bookshop-mcp\0")
    assert health.code(None) == 0
