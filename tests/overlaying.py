"""A document and overlays for tests of applying them."""

import json
from pathlib import Path
from typing import Any

from mcpgen import overlay
from mcpgen.diagnostics import Diagnostics
from mcpgen.source import SourceOptions
from mcpgen.source.document import Document
from mcpgen.source.limits import Limits

INFO = {"title": "Fix", "version": "1"}
SHOP: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://a.example"}, {"url": "https://b.example", "description": "Dev"}],
    "tags": [{"name": "a"}],
    "paths": {
        "/a": {"get": {"summary": "A", "tags": ["x", "y"], "parameters": [{"name": "p"}]}},
        "/b": {"get": {"summary": "B", "tags": ["y"]}, "delete": {"x-keep": None}},
    },
}


def load(
    folder: Path,
    actions: Any,
    version: str = "1.1.0",
    document: Any = None,
    *,
    most: int = 100_000,
    **more: Any,
) -> tuple[Document, Diagnostics]:
    api, fix = folder / "api.json", folder / "fix.json"
    api.write_text(json.dumps(SHOP if document is None else document, indent=1))
    fix.write_text(json.dumps({"overlay": version, "info": INFO, "actions": actions, **more}))
    found = Diagnostics()
    options = SourceOptions(limits=Limits(max_values=most))
    return overlay.load(str(api), [str(fix)], options=options, diagnostics=found), found
