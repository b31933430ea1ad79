"""What docs/fastapi.md shows: a FastAPI app and its MCP server in one process."""

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from command_line import run
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from runtime.serving import in_thread
from typed import assert_typed

PAGE = (Path(__file__).parents[2] / "docs" / "fastapi.md").read_text("utf-8")
SHOP, MAIN = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(SETTINGS,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
BROKEN = """

@app.get("/broken", summary="Break")
def broken() -> None:
    raise KeyError("inside")
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Where the page's `main:app` is served."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP + BROKEN)
    (folder / "main.py").write_text(MAIN)
    names = ("shop", "main", "shop_mcp")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        document = importlib.import_module("shop").app.openapi()
        (folder / "openapi.json").write_text(json.dumps(document))
        (command,) = re.findall(r"^mcpgen (from-openapi .*)$", PAGE, re.MULTILINE)
        patch.chdir(folder)
        assert run(*command.split()).exit_code == 0
        with (folder / "agents" / "mcpgen.toml").open("a") as file:
            file.write(SETTINGS)
        assert run("update", "agents").exit_code == 0
        readme = (folder / "agents/README.md").read_text()
        assert (
            "each caller sends its own credentials for the API: `HTTPBearer` in the header"
            in readme
        )
        patch.syspath_prepend(str(folder / "agents"))
        with in_thread(importlib.import_module("main").app) as found:
            yield found
    for module in [m for m in sys.modules if m.partition(".")[0] in names]:
        del sys.modules[module]


async def call(base: str, token: str, tool: str, arguments: dict[str, Any]) -> Any:
    """The result of a call by a real client that brings a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{base}/agents/mcp", http_client=http)
        async with Client(transport) as client:
            return await client.call_tool(tool, arguments)


@pytest.mark.parametrize(("token", "member"), [("token-of-ada", "Ada"), ("token-of-bob", "Bob")])
async def test_a_caller_s_token_is_passed_on(base, token, member):
    result = await call(base, token, "show_basket", {"basket": 7})
    assert result.structured_content == {"basket": 7, "member": member}


async def test_what_the_api_refuses_and_where_it_fails_is_told(base):
    """The text of an exception stays inside."""
    for token, tool, arguments, status in (
        ("stolen", "show_basket", {"basket": 7}, "401"),
        ("token-of-ada", "broken", {}, "500"),
    ):
        result = await call(base, token, tool, arguments)
        assert result.is_error
        assert status in result.content[0].text
        assert "inside" not in result.content[0].text


def test_the_api_is_where_it_was_and_the_page_is_typed(base):
    headers = {"Authorization": "Bearer token-of-bob"}
    answer = httpx2.get(f"{base}/baskets/3", headers=headers)
    assert answer.json() == {"basket": 3, "member": "Bob"}
    folder = Path(sys.modules["main"].__file__ or "").parent / "agents"
    assert_typed(folder, "shop_mcp/server.py", "../shop.py", "../main.py")
