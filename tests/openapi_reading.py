"""Small OpenAPI documents for the reader's tests."""

import base64
import email
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen import source
from mcpgen.api import Api, Argument, Tool
from mcpgen.cases.requests import Requests
from mcpgen.diagnostics import Diagnostics
from mcpgen.lock import Lock
from mcpgen.readers.openapi import read
from mcpgen.settings import Settings

OK = {"200": {"description": "ok"}}


@dataclass
class Reading:
    """An Api and what was reported on the way."""

    api: Api
    diagnostics: Diagnostics

    @property
    def tool(self) -> Tool:
        """The only tool."""
        assert len(self.api.tools) == 1, [t.name for t in self.api.tools]
        return self.api.tools[0]

    @property
    def codes(self) -> list[str]:
        """The codes of all warnings."""
        return [item.code for item in self.diagnostics.warnings]

    def pointers(self, code: str) -> list[str]:
        """Where a code was reported."""
        return [item.pointer for item in self.diagnostics.items if item.code == code]


def read_text(
    text: str,
    folder: Path,
    diagnostics: Diagnostics | None = None,
    names: dict[str, str] | None = None,
    **settings: Any,
) -> Reading:
    """Read the text of a document; `names` are those of tools in the lock, by operation."""
    found = Diagnostics() if diagnostics is None else diagnostics
    path = folder / "api.json"
    path.write_text(text, encoding="utf-8")
    document = source.load(str(path), diagnostics=found)
    return Reading(
        read(document, Settings(**settings), found, Lock("", "", "", tools=names or {})), found
    )


def read_document(
    document: dict[str, Any],
    folder: Path,
    diagnostics: Diagnostics | None = None,
    **options: Any,
) -> Reading:
    """Read a document given as a value; `info` is added."""
    whole = {"info": {"title": "Pets", "version": "1"}, **document}
    if "swagger" not in whole:
        whole = {"openapi": "3.1.0", **whole}
    return read_text(json.dumps(whole), folder, diagnostics, **options)


def one(
    operation: dict[str, Any],
    *,
    method: str = "get",
    path: str = "/pets",
    **rest: Any,
) -> dict[str, Any]:
    """A document with one operation, called `op`; `rest` are further root fields."""
    filled = {"operationId": "op", "responses": OK, **operation}
    return {"paths": {path: {method: filled}}, **rest}


def argument(tool: Tool, name: str) -> Argument:
    """The argument of a name."""
    return next(a for a in tool.arguments if a.name == name)


def sent(read: Reading, arguments: dict[str, Any]) -> tuple[str, bytes]:
    """The Content-Type and the body of the only tool's request."""
    request = Requests(read.api, {}).expected(read.tool, arguments)
    content_type, body = request["headers"].get("content-type", ""), request["body"] or {}
    if "base64" in body:
        return content_type, base64.b64decode(body["base64"])
    text = body.get("text") or json.dumps(body.get("json"), separators=(",", ":"))
    return content_type, text.encode()


def sent_parts(read: Reading, arguments: dict[str, Any]) -> list[tuple[str, str, str, bytes]]:
    """Name, file name, Content-Type and content of each part of a multipart body."""
    content_type, body = sent(read, arguments)
    message = email.message_from_bytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
    return [
        (
            str(part.get_param("name", header="content-disposition")),
            part.get_filename(""),
            part.get("Content-Type", ""),
            part.get_payload(decode=True),
        )
        for part in message.get_payload()
    ]
