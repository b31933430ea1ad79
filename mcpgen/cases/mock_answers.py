"""One success answer per request: an example from the document, or a sample of its schema.

`mock.json` contains the answers; `--mock` serves them, and the generated tests use them as the
API's answers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from ..api import Api, Example, Schema, Tool
from ..runtime.parts.shaping import Shape as RuntimeShape
from ..runtime.parts.shaping import shape_value, shows_nothing
from ..runtime.values.media import MediaType, is_json
from ..samples.checks import Checker
from ..samples.instances import Sampler, Variant, is_short
from ..samples.scalars import NoSample
from ..schemas import types_of
from ..schemas.definitions import definitions
from ..schemas.subschemas import only_reference

MAX_BYTES = 32_768

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJg"
    "gg=="
)
_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
_JPEG = (
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////"
    "////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAA"
    "AAAAAAAAAAD/2gAIAQEAAD8AR//Z"
)
_WEBP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
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
    "image/webp": _WEBP,
    "audio/wav": _wav(),
    "audio/x-wav": _wav(),
    "application/pdf": base64.b64encode(_PDF.encode()).decode(),
}
_TEXTS: Mapping[str, str] = {
    "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    "text/event-stream": 'event: message\ndata: {"text": "hello"}\n\n',
    "application/x-ndjson": '{"line": 1}\n{"line": 2}\n',
    "application/jsonl": '{"line": 1}\n{"line": 2}\n',
    "text/csv": "id,name\n1,first\n2,second\n",
    "text/html": "<p>An answer.</p>",
}
PARTS = ("first part", "second part")
_BOUNDARY = "boundary-of-parts"
_END = f"--{_BOUNDARY}--\r\n"
_BODILESS = (204, 205, 304)
_ANY_BYTES = base64.b64encode(b"bytes of the answer \x00\x01\xfe\xff").decode()
_CONCRETE = {
    "*/*": "application/json",
    "application/*": "application/json",
    "audio/*": "audio/wav",
    "font/*": "font/woff2",
    "image/*": "image/png",
    "text/*": "text/plain",
    "video/*": "video/mp4",
}


def mock_answers(api: Api) -> dict[str, dict[str, Any]]:
    """The answers of `mock.json`, by tool name, resource URI, or `prompts/` and a prompt's name.

    Each answer has a status, a content type and a body.
    """
    samples = _Samples(api.schemas)
    return {tool.name: _of_tool(tool, samples) for tool in _answered(api)}


def _answered(api: Api) -> Iterator[Tool]:
    """The tools that call the API."""
    return (tool for tool in (*api.tools, *_offered(api)) if tool.http is not None)


def _offered(api: Api) -> Iterator[Tool]:
    """The requests of resources and prompts, as tools named by the keys of `mock.json`."""
    offers = {offer.key: offer for offer in api.resources}
    offers |= {f"prompts/{offer.key}": offer for offer in api.prompts}
    for key, offer in offers.items():
        if offer.function is not None:
            media_type = offer.written.get("mimeType", "*/*")
            yield replace(offer.function, name=key, result_media_type=media_type)


def _of_tool(tool: Tool, samples: _Samples) -> dict[str, Any]:
    """The mock answer of a tool: the first example that fits the schema, else a sample."""
    status = success_status(tool)
    media_type = concrete(tool.result_media_type)
    if status in _BODILESS or media_type is None or tool.call.method == "HEAD":
        return {"status": status, "content_type": None}
    read_as = tool.call.read_as
    candidates = (_example(each, read_as, samples.has_texts(tool)) for each in tool.examples)
    examples = [each for each in candidates if each is not None]
    if not (is_json(media_type) or read_as == "json"):
        matching = [each for each in examples if each["content_type"] == media_type]
        value = "An answer in text." if read_as else _placeholder(media_type)
        return matching[0] if matching else _answer(status, media_type, value, read_as)
    values = [each for each in examples if "json" in each]
    for each in values:
        if fits_output(each["json"], tool) and not samples.refuse(each["json"], tool):
            return each
    value = samples.of(tool)
    return _answer(status, media_type, {} if value is None else value, read_as)


def _example(example: Example, read_as: str, is_text: bool) -> dict[str, Any] | None:
    """An example as a mock answer; a JSON string is parsed unless the result may be a string."""
    media_type = concrete(example.media_type)
    value = example.value
    if media_type is None or example.status in _BODILESS:
        return None
    is_value = is_json(media_type) or read_as == "json"
    if isinstance(value, str) and is_value and not is_text:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    # An empty text is an answer without content, of which a call shows nothing of its media type.
    is_content = isinstance(value, str) and value != "" and not media_type.startswith("multipart/")
    if not (is_value or is_content) or not is_short(value, MAX_BYTES):
        return None
    return _answer(example.status, media_type, value, read_as)


def success_status(tool: Tool) -> int:
    """A declared success status, preferably one with a body."""
    statuses = [int(each) for each in tool.call.statuses if each.isdigit()]
    for status in statuses:
        if tool.result_media_type is None or status not in _BODILESS:
            return status
    for declared in tool.call.statuses:
        if declared[:1].isdigit() and not declared.isdigit():
            return int(declared[0]) * 100
    return statuses[0] if statuses else 200


def concrete(media_type: str | None) -> str | None:
    """The media type of an answer; for a range such as `image/*`, a type within the range."""
    if media_type is None:
        return None
    kind = MediaType.read(media_type).name
    if "*" in kind or not kind:
        top = kind.partition("/")[0] or "*"
        return _CONCRETE.get(f"{top}/*", f"{top}/octet-stream")
    if kind.startswith("multipart/"):
        return f"{kind}; boundary={_BOUNDARY}"
    return media_type


def fits_output(value: Any, tool: Tool) -> bool:
    """Whether a JSON answer fits the tool's outputSchema and has content the agent can see."""
    visible = visible_part(value, tool)
    if shows_nothing(value, visible):
        return False
    schema = tool.output_schema
    if schema is None:
        return True
    branches = schema.get("anyOf")
    open_to_all = isinstance(branches, list) and {"type": "object"} in branches
    described = branches[0] if open_to_all and branches else schema
    is_whole = is_bare(tool)
    if open_to_all:
        is_whole = not any(map(_is_wrapped, (schema, *schema["anyOf"])))
    is_whole = is_whole or isinstance(visible, dict)
    structured = visible if is_whole else {"result": visible}
    checker = Checker(schema.get("$defs", {}))
    fits = checker.valid if open_to_all else checker.surely_valid
    if not fits(structured, described):
        return False
    if tool.written is None or open_to_all:
        return True
    from ..runtime.schemas.validation import misfit  # of no use for OpenAPI documents

    return misfit(tool.written["outputSchema"], structured) is None


def _is_wrapped(schema: Any) -> bool:
    """Whether a schema only wraps an answer under `result`."""
    return isinstance(schema, Mapping) and list(schema.get("properties", ())) == ["result"]


def visible_part(value: Any, tool: Tool) -> Any:
    """The part of a JSON answer that agents get."""
    return shape_value(value, RuntimeShape(*structs.astuple(tool.shape))) if tool.shape else value


def is_bare(tool: Tool) -> bool:
    """Whether a tool's structured content may be any JSON value, not only an object."""
    schema = tool.output_schema
    return schema is not None and schema.get("type") != "object"


def _answer(status: int, media_type: str, value: Any, read_as: str) -> dict[str, Any]:
    head = {"status": status, "content_type": media_type}
    media = MediaType.read(media_type)
    if media.is_json or read_as == "json":
        return {**head, "json": value}
    if media.is_text or read_as or media.name.startswith("multipart/"):
        return {**head, "text": value}
    return {**head, "base64": _as_base64(value)}


def _as_base64(value: str) -> str:
    try:
        base64.b64decode(value, validate=True)
    except ValueError:
        return base64.b64encode(value.encode()).decode()
    return value


def _placeholder(media_type: str) -> str:
    kind = MediaType.read(media_type).name
    if kind.startswith("multipart/"):
        return "".join(f"--{_BOUNDARY}\r\n\r\n{part}\r\n" for part in PARTS) + _END
    if kind in _TEXTS:
        return _TEXTS[kind]
    if kind in _BINARY:
        return _BINARY[kind]
    if kind.endswith(("/xml", "+xml")):
        return "<answer><item>first</item></answer>"
    return "An answer in text." if MediaType.read(media_type).is_text else _ANY_BYTES


class _Samples:
    """Samples of result schemas, which many tools share."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = definitions(schemas)
        self._sampler = Sampler(schemas)
        self._of_tools: dict[tuple[str, int], Any] = {}

    def has_texts(self, tool: Tool) -> bool:
        """Whether the tool's result may be a string."""
        return tool.result is None or "string" in types_of(tool.result, self._schemas)

    def refuse(self, value: Any, tool: Tool) -> bool:
        """Whether the document's schema refuses an answer, even if the tool advertises no
        schema.
        """
        return tool.result is not None and self._sampler.checker.refused(value, tool.result)

    def of(self, tool: Tool) -> Any:
        """A small sample of the tool's result; fits the outputSchema if the tool has one."""
        ref = None if tool.result is None else only_reference(tool.result)
        if ref is None or tool.shape:
            return self._of(tool)
        key = ref, id(tool.output_schema)  # alike ones are the same object
        if key not in self._of_tools:
            self._of_tools[key] = self._of(tool)
        return self._of_tools[key]

    def _of(self, tool: Tool) -> Any:
        samples: list[Any] = []
        variants: tuple[Variant, ...] = ("full", "required")
        for variant in variants:
            value = self._sample(True if tool.result is None else tool.result, variant)
            if value is not None and is_short(value, MAX_BYTES):
                samples.append(value)
                if fits_output(value, tool):
                    return value
        return samples[0] if samples else None

    def _sample(self, schema: Schema, variant: Variant) -> Any:
        try:
            return self._sampler.sample(schema, variant=variant, name="answer")
        except NoSample:
            return None
