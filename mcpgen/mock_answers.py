"""One success answer per tool, from the document's examples or a sample of its schema.

`mock.json` serves them for `--mock`, the generated tests play them as the API.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from mcpgen.api import Api, Example, Tool
from mcpgen.samples import NoSample, Sampler

MAX_BYTES = 32_768

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
_JPEG = (
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////"
    "////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAA"
    "AAAAAAAAAAD/2gAIAQEAAD8AR//Z"
)
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
_PDF = (
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    "trailer<</Root 1 0 R>>\n%%EOF\n"
)


def _wav() -> str:
    fmt = b"fmt " + (16).to_bytes(4, "little") + b"\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0"
    data = b"data" + (2).to_bytes(4, "little") + b"\x80\x80"
    size = (4 + len(fmt) + len(data)).to_bytes(4, "little")
    return base64.b64encode(b"RIFF" + size + b"WAVE" + fmt + data).decode()


_BINARY: Mapping[str, str] = {
    "image/png": _PNG,
    "image/gif": _GIF,
    "image/jpeg": _JPEG,
    "audio/wav": _wav(),
    "audio/x-wav": _wav(),
    "image/svg+xml": base64.b64encode(_SVG.encode()).decode(),
    "application/pdf": base64.b64encode(_PDF.encode()).decode(),
}
_ANY_BYTES = base64.b64encode(b"bytes of the answer \x00\x01\xfe\xff").decode()
_CONCRETE = {"image/*": "image/png", "audio/*": "audio/wav", "text/*": "text/plain"}


def mock_answers(api: Api) -> dict[str, dict[str, Any]]:
    """Build the answers of `mock.json`: tool name to status, content type and body."""
    sampler = Sampler(api.schemas)
    return {tool.name: answer(tool, sampler) for tool in api.tools}


def answer(tool: Tool, sampler: Sampler) -> dict[str, Any]:
    """One success answer of a tool: `status`, `content_type`, and `json`, `text` or `base64`."""
    for example in tool.examples:
        if _fits(example, tool):
            media_type = concrete(example.media_type or tool.result_media_type)
            return _answer(example.status, media_type, example.value)
    status = success_status(tool)
    media_type = concrete(tool.result_media_type)
    if status in (204, 205, 304) or media_type is None:
        return {"status": status, "content_type": None}
    if not is_json(media_type):
        return _answer(status, media_type, _placeholder(media_type))
    schema = True if tool.result is None else tool.result
    return _answer(status, media_type, _bounded_sample(schema, sampler))


def success_status(tool: Tool) -> int:
    """The first success status that the document declares, as a number."""
    for status in tool.http.statuses:
        if status.isdigit():
            return int(status)
    for status in tool.http.statuses:
        if status[:1].isdigit():
            return int(status[0]) * 100
    return 200


def concrete(media_type: str | None) -> str | None:
    """A media type that an API may answer with; ranges such as `image/*` become one of theirs."""
    if media_type is None:
        return None
    kind = essence(media_type)
    if "*" in kind:
        return _CONCRETE.get(kind, "application/json")
    return media_type


def essence(media_type: str) -> str:
    """Type and subtype in lower case, without parameters."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Tell whether the media type is JSON or has the `+json` suffix (RFC 6839)."""
    kind = essence(media_type)
    return kind in ("application/json", "text/json") or kind.endswith("+json")


def is_text(media_type: str) -> bool:
    """Tell whether bodies of the media type are text."""
    kind = essence(media_type)
    return (
        kind.startswith("text/")
        or kind.endswith(("/xml", "+xml", "/yaml", "/x-yaml", "+yaml"))
        or kind in _TEXT_TYPES
    )


_TEXT_TYPES = frozenset(
    {
        "application/x-ndjson",
        "application/jsonl",
        "application/json-seq",
        "application/graphql",
        "application/javascript",
        "application/x-www-form-urlencoded",
    }
)


def _fits(example: Example, tool: Tool) -> bool:
    media_type = example.media_type or tool.result_media_type
    if media_type is not None and not is_json(media_type) and not isinstance(example.value, str):
        return False
    try:
        text = json.dumps(example.value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return len(text) <= MAX_BYTES


def _answer(status: int, media_type: str | None, value: Any) -> dict[str, Any]:
    if media_type is None:
        return {"status": status, "content_type": None}
    head = {"status": status, "content_type": media_type}
    if is_json(media_type):
        return {**head, "json": value}
    if is_text(media_type) and essence(media_type) not in _BINARY:
        return {**head, "text": value}
    return {**head, "base64": _as_base64(value)}


def _as_base64(value: str) -> str:
    try:
        base64.b64decode(value, validate=True)
    except ValueError:
        return base64.b64encode(value.encode()).decode()
    return value


def _placeholder(media_type: str) -> str:
    kind = essence(media_type)
    if kind in _BINARY:
        return _BINARY[kind]
    if kind == "text/event-stream":
        return 'event: message\ndata: {"text": "hello"}\n\n'
    if kind in ("application/x-ndjson", "application/jsonl"):
        return '{"line": 1}\n{"line": 2}\n'
    if kind == "text/csv":
        return "id,name\n1,first\n2,second\n"
    if kind.endswith(("/xml", "+xml")):
        return "<answer><item>first</item></answer>"
    if kind.endswith("html"):
        return "<p>An answer.</p>"
    return "An answer in text." if is_text(media_type) else _ANY_BYTES


def _bounded_sample(schema: Any, sampler: Sampler) -> Any:
    variants: tuple[Any, ...] = ("full", "required")
    for variant in variants:
        try:
            value = sampler.sample(schema, variant=variant, name="answer")
        except NoSample:
            continue
        if len(json.dumps(value)) <= MAX_BYTES:
            return value
    return {}
