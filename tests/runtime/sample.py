"""A generated package, written by hand: `shop_mcp` with the runtime copied into it."""

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import mcpgen.runtime

TEXT = {"type": "string"}
HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}

TOOLS: list[dict[str, Any]] = [
    {
        "name": "getPet",
        "title": "Get a pet",
        "description": "One pet.",
        "inputSchema": {
            "type": "object",
            "properties": {"petId": {"type": "integer"}, "dryRun": {"type": "boolean"}},
            "required": ["petId"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "anyOf": [
                {"type": "object", "properties": {"name": TEXT}, "required": ["name"]},
                {"type": "object"},
            ],
        },
        "annotations": {**HINTS, "openWorldHint": True},
    },
    {
        "name": "create",
        "description": "Create\nanything \u202e.",
        "inputSchema": {
            "type": "object",
            "properties": {"name": TEXT},
            "required": ["name"],
            "additionalProperties": True,
        },
    },
    {
        "name": "fail",
        "description": "Raise something.",
        "inputSchema": {"type": "object", "properties": {"how": TEXT}, "required": ["how"]},
    },
    {
        "name": "state",
        "description": "What the lifespan opened.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    },
]

FILES = {
    "__init__.py": "",
    "__main__.py": "from .server import main\n\nmain()\n",
    "hooks.py": """
from contextlib import asynccontextmanager

OPENED = []


@asynccontextmanager
async def lifespan(server):
    OPENED.append(server.name)
    try:
        yield {"db": "open"}
    finally:
        OPENED.append("closed")
""",
    "api.py": """
from ._runtime import Api, ApiKey, ServerUrl

API = Api(
    env_prefix="SHOP",
    servers=[ServerUrl("https://shop.example/v1")],
    security_schemes={"key": ApiKey("X-Key", location="header", env="SHOP_KEY")},
    security=[{"key": []}],
)
""",
    "server.py": """
from __future__ import annotations

import sys

from . import hooks
from ._runtime import App, ServerInfo, Settings, asking, branches, forms, http, tokens
from .api import API
from .handlers import HANDLERS

APP = App(
    package=__package__,
    info=ServerInfo(
        name="shop",
        version="1.2.3",
        title="The shop",
        description="Pets",
        instructions="Be kind.",
        website_url="https://shop.example",
        icons=[{"src": "https://shop.example/i.png", "mimeType": "image/png", "sizes": ["48x48"]}],
    ),
    api=API,
    handlers=HANDLERS,
    hooks=hooks,
    defaults=Settings(timeout=5.0),
    parts=[asking, http, tokens, branches, forms],
)


def create_app(settings=None, *, transport=None):
    return APP.create_app(settings, transport=transport)


def create_server(settings=None, *, transport=None):
    return APP.create_server(settings, transport=transport)


def main():
    sys.exit(APP.main())
""",
    "handlers/__init__.py": """
HANDLERS = {
    "getPet": "pets:get_pet",
    "create": "pets:create",
    "fail": "failing:fail",
    "state": "failing:state",
}
""",
    "handlers/pets.py": """
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._runtime import UNSET, Context, Response, Unset, tool


@tool("getPet", pet_id="petId", dry_run="dryRun")
async def get_pet(
    ctx: Context, *, pet_id: int, dry_run: bool | Unset = UNSET
) -> Response[Any]:
    return await ctx.api.send(
        "GET", "/pets/{petId}", path={"petId": pet_id}, query={"dryRun": dry_run}
    )


@tool("create", extra="*")
async def create(ctx: Context, *, name: str, extra: Mapping[str, Any]) -> Response[Any]:
    return await ctx.api.send("POST", "/any", json={"name": name, **extra}, security=[])
""",
    "handlers/failing.py": """
from .._runtime import ProtocolError, ToolError, tool


@tool("fail")
async def fail(ctx, *, how):
    if how == "tool":
        raise ToolError("the text for the agent")
    if how == "protocol":
        raise ProtocolError(-32602, "the protocol's text")
    if how == "log":
        await ctx.log("warning", "a line of the log")
        return "logged"
    if how == "revision":
        return ctx.request.protocol_version
    if how == "print":
        print("not protocol")
        return "printed"
    raise RuntimeError("sk-SECRET in an exception")


@tool("state")
async def state(ctx):
    await ctx.report_progress(1, 2, "half")
    return {"state": ctx.state, "tool": ctx.tool}
""",
}

MOCK = {
    "getPet": {"status": 200, "content_type": "application/json", "json": {"name": "Rex"}},
    "create": {"status": 201, "content_type": "text/plain", "text": "é"},
    "state": {"status": 200, "content_type": "image/png", "base64": "iVBORw=="},
}


@contextmanager
def served(folder: Path, package: str) -> Iterator[ModuleType]:
    """The `server` module of the package, written below a folder, as long as the block runs."""
    write(folder, package)
    with imported(folder, package) as found:
        yield found


@contextmanager
def imported(folder: Path, package: str) -> Iterator[ModuleType]:
    """The `server` module of a package that is below a folder, for as long as the block runs."""
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(f"{package}.server")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.startswith(package)]:
            del sys.modules[name]


def write(
    folder: Path, package: str = "shop_mcp", tools: list[dict[str, Any]] | None = None
) -> Path:
    """Write the package below a folder and return the package's own folder."""
    home = folder / package
    runtime = Path(mcpgen.runtime.__path__[0])
    shutil.copytree(runtime, home / "_runtime", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (home / "tools.json").write_text(json.dumps({"tools": tools or TOOLS}), encoding="utf-8")
    (home / "mock.json").write_text(json.dumps(MOCK), encoding="utf-8")
    return home
