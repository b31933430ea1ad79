"""Operations with servers of their own in a document that names no host."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from prepared import python

from .servers import generate
from .upstream import Upstream


def at(*urls: str) -> dict[str, Any]:
    """A GET with these servers."""
    return {"get": {"servers": [{"url": url} for url in urls], "responses": {"200": {}}}}


DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Gauges", "version": "1"},
    "servers": [{"url": "/api/v2"}],
    "paths": {"/gauges": {"get": {"responses": {"200": {}}}}, "/health": at(""), "/old": at("/v1")},
}


@pytest.mark.parametrize("before", ["", "/gateway"])
def test_paths_of_their_own_are_on_the_host_that_is_set(
    upstream: Upstream, tmp_path: Path, before: str
) -> None:
    (tmp_path / "gauges.json").write_text(json.dumps(DOCUMENT))
    server = generate(tmp_path / "gauges.json", tmp_path / f"server{before}", upstream)
    base = f"{upstream.url}{before}/api/v2"
    targets = [server.call(tool, base_url=base).request.target for tool in server.tools]
    assert targets == [f"{before}/api/v2/gauges", f"{before}/health", f"{before}/v1/old"]


def test_the_tests_of_such_a_server_pass(upstream: Upstream, tmp_path: Path) -> None:
    (tmp_path / "gauges.json").write_text(json.dumps(DOCUMENT))
    server = generate(tmp_path / "gauges.json", tmp_path / "server", upstream)
    done = subprocess.run(
        python("-m", "pytest", "-q", "tests"), cwd=server.folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
