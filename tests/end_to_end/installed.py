"""Servers that depend on the runtime as a package of this process: they import far less."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import runtime_package

from .servers import Server, generate
from .upstream import Upstream

PACKAGE = ("--runtime", "package")


def with_package() -> tuple[str, ...]:
    """The options of such a server; the package can be imported from now on."""
    if runtime_package.folder() not in sys.path:
        sys.path.append(runtime_package.folder())
    return PACKAGE


def server_of(
    document: Mapping[str, Any], folder: Path, upstream: Upstream, *options: str, settings: str = ""
) -> Server:
    """The server of a document or a tool file, written into the folder, with these settings."""
    source = folder / "source.json"
    source.write_text(json.dumps(document), "utf-8")
    made = folder / "server"
    made.mkdir()
    (made / "mcpgen.toml").write_text(settings, "utf-8")
    command = "from-schema" if "tools" in document else "from-openapi"
    options = ("--force", *with_package(), *options)
    return generate(source, made, upstream, *options, command=command)
