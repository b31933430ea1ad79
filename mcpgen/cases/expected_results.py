"""The result that an agent must get for an answer of the API."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from ..api import Tool
from ..runtime.backend.answer import tells_by_status
from ..runtime.parts.shaping import shows_nothing
from ..runtime.results.blobs import Blob
from ..runtime.values.display import visible
from ..runtime.values.media import essence
from .mock_answers import PARTS, fits_output, is_bare, visible_part
from .requests import accepted


def is_refused(reply: Mapping[str, Any], tool: Tool) -> bool:
    """Whether clients would refuse an answer because it does not fit a strict outputSchema."""
    schema = tool.output_schema
    if schema is None or {"type": "object"} in schema.get("anyOf", ()):
        return False
    if reply["content_type"] is None or 300 <= reply["status"] < 400:
        return not is_bare(tool) and not fits_output(None, tool)
    return "json" in reply and not fits_output(reply["json"], tool)


def expected_result(reply: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
    """The result that an agent must get for an answer.

    `structured`: the answer's JSON becomes structuredContent, either as it is (`object`) or as the
    member `result` (`value`). `content`: for each content block, the members that it must have.
    `note`: whether a further block says that the answer is not what the document declares. `told`:
    the status that a block before the content must name.
    """
    media_type = reply["content_type"]
    if media_type is None:
        note = tool.output_schema is not None and reply["status"] == 200
        return {"content": [{"type": "text"}], "note": note}
    if 300 <= reply["status"] < 400:
        is_shown = "base64" not in reply and not media_type.startswith("multipart/")
        if "json" in reply:
            note = shows_nothing(reply["json"], visible_part(reply["json"], tool))
        else:
            note = not _is_declared(media_type, tool)
        return {"content": [{"type": "text"}] * (2 if is_shown else 1), "note": note}
    extras = {}
    if tells_by_status(reply["status"], tool.call.statuses):
        extras = {"told": str(reply["status"])}
    if "json" in reply:
        part = visible_part(reply["json"], tool)
        structured = "object" if isinstance(part, dict) or is_bare(tool) else "value"
        expected = {"structured": structured, "note": not fits_output(reply["json"], tool)}
        return expected | extras | ({"shown": part} if tool.shape else {})
    kind = essence(media_type)
    note = not _is_declared(media_type, tool) or _is_remarked(reply, kind, tool.links)
    return {"content": _blocks(reply, kind, tool.links), "note": note, **extras}


def _is_remarked(reply: Mapping[str, Any], kind: str, links: bool) -> bool:
    """Whether the result explains why the answer's bytes are not shown as an image or audio."""
    if "base64" not in reply:
        return False
    blob = Blob.of(b64decode(reply["base64"]), kind)
    return bool(blob.misfit or (blob.remark and not links))


def _is_declared(media_type: str, tool: Tool) -> bool:
    kind = essence(media_type)
    listed = {essence(each) for each in (*accepted(tool).split(","), *tool.call.declared)}
    return bool({"*/*", kind, f"{kind.partition('/')[0]}/*"} & listed)


def _blocks(reply: Mapping[str, Any], kind: str, links: bool) -> list[dict[str, Any]]:
    family = kind.partition("/")[0]
    if family == "multipart":
        return [{"type": "text", "text": part} for part in PARTS]
    if "text" in reply:
        return [{"type": "text", "text": visible(reply["text"])}]
    blob = Blob.of(b64decode(reply["base64"]), kind)
    if blob.text is not None:
        return [{"type": "text", "text": visible(blob.text)}]
    data = b64encode(blob.content).decode()
    if blob.is_shown:
        return [{"type": family, "data": data, "mimeType": blob.media}]
    if links:
        return [{"type": "resource_link", "mimeType": blob.media, "size": len(blob.content)}]
    return [{"type": "resource", "blob": data, "mimeType": blob.media}]
