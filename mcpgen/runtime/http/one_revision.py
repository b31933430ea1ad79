"""Refuses requests whose header and body name different revisions of the protocol.

The library compares them where the header names a current revision; where it names an older one, or
none, it would serve a current request as an older one.
"""

from __future__ import annotations

import json
from typing import Any

from mcp_types import HEADER_MISMATCH, PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.responses import JSONResponse

_MESSAGE = "The MCP-Protocol-Version header does not match the protocol version of the request"


def may_differ(header: str | None) -> bool:
    """Whether a header leaves it to us to look at the body."""
    return header is None or header in HANDSHAKE_PROTOCOL_VERSIONS


def refusal(header: str | None, body: bytes) -> JSONResponse | None:
    """The answer to a request that names another revision than its header, or None."""
    if b"protocolVersion" not in body:
        return None
    try:
        request = json.loads(body)
        said = request["params"]["_meta"][PROTOCOL_VERSION_META_KEY]
        known, opens = request["id"], request["method"] == "initialize"
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # a notification, a message of an older client, or none at all
    if opens or said == header:
        return None
    error = {"code": HEADER_MISMATCH, "message": _MESSAGE}
    return JSONResponse({"jsonrpc": "2.0", "id": _id(known), "error": error}, 400)


def _id(known: Any) -> str | int | None:
    is_one = isinstance(known, str | int) and not isinstance(known, bool)
    return known if is_one else None
