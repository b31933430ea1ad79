"""A client that nobody here wrote: the TypeScript SDK's, which names itself in a header alone.

`MCPGEN_NODE_MODULES` names the `node_modules` of `tests/conformance/package.json`.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ..sign_in.openid import OpenId
from .company import OTHER, issued

MODULES = Path(os.environ.get("MCPGEN_NODE_MODULES", "") or "/nowhere")
NODE = shutil.which("node") or ""
SCRIPT = Path(__file__).parents[3] / "typescript" / "cross_app_client.mjs"


def test_the_typescript_client(url: str, openid: OpenId, monkeypatch: pytest.MonkeyPatch) -> None:
    if not NODE or not (MODULES / "@modelcontextprotocol" / "client").is_dir():
        pytest.skip("MCPGEN_NODE_MODULES names no TypeScript client")
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-server")
    assertions = [issued(openid, url, client_id=OTHER[0]) for _ in range(2)]
    command = [NODE, str(SCRIPT), str(MODULES), url, *OTHER, *assertions]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "result": {"name": "Rex"},
        "again": {"name": "Rex"},
        "asked": [[url, url]] * 2,
    }
