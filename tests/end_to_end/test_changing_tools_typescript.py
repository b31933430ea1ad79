"""The TypeScript clients see tools change while connected.

`MCPGEN_NODE_MODULES` names the `node_modules` of `tests/conformance/package.json`, as `.ci/run`
makes it; without it there is nothing to run.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .changing import NAMES, SUMMER, environment, make
from .servers import Server

SCRIPT = Path(__file__).parents[1] / "typescript" / "changes.mjs"
MODULES = os.environ.get("MCPGEN_NODE_MODULES", "")

pytestmark = pytest.mark.skipif(
    not MODULES or shutil.which("node") is None, reason="MCPGEN_NODE_MODULES names no clients"
)
CLIENTS = pytest.mark.parametrize(
    ("generation", "era"), [("v1", "legacy"), ("v2", "legacy"), ("v2", "auto")]
)


@pytest.fixture(scope="module")
def quay(upstream, tmp_path_factory):
    return make(tmp_path_factory.mktemp("quay_of_others"), upstream, "--package", "quay_of_others")


def seen(server: Server, *command: str) -> list[list[str]]:
    """The lists of tools that a client saw, one after the other."""
    done = subprocess.run(
        ["node", str(SCRIPT), str(Path(MODULES).resolve()), *command],
        cwd=server.folder,
        env=environment(server),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


EXPECTED = [[*NAMES, "bad"], SUMMER, [*NAMES, "bad"]]


@CLIENTS
def test_over_stdio(quay, generation, era):
    command = (generation, era, "stdio", sys.executable, "-m", quay.package)
    assert seen(quay, *command) == EXPECTED


@CLIENTS
def test_over_http(quay, generation, era):
    with quay.over_http(environment(quay)) as url:
        assert seen(quay, generation, era, "http", url) == EXPECTED
