"""Media types: their kinds of content, and how to choose among them."""

from __future__ import annotations

import re
from collections.abc import Set
from enum import IntEnum
from functools import lru_cache

from ...runtime.values.media import TOKEN, essence, is_json, is_json_lines, is_text
from ...schemas.types import ALL
from ...text.nearest import nearest

_QUOTED = r"\"[ !#-\[\]-~]*\""
_PARAMETER = rf"[ \t]*;[ \t]*{TOKEN}=(?:{TOKEN}|{_QUOTED})"
_MEDIA_TYPE = re.compile(rf"{TOKEN}/{TOKEN}(?:{_PARAMETER})*")
_FIRST = re.compile(rf"\s*({TOKEN}/{TOKEN})(?=[\s;,:]|\Z)")
_BYTES = re.compile(
    r"(?:image|audio|video|font)/(?!.*\+xml$).+"
    r"|application/(?:octet-stream|pdf|zip|gzip|x-tar|x-gzip|x-zip-compressed)"
)
_ANYTHING = ALL - {"integer"}
_STRUCTURES = {"object", "array"}
_FORMATS = re.compile(
    r".*[/.+-](?:avro|bson|cbor|flatbuffers?|gzip|msgpack|messagepack|parquet|protobuf|thrift|zip)\Z"
)
"""Formats other than JSON for structured content."""
_MIN_LIKENESS = 0.8
_TYPES = (
    "application", "audio", "example", "font", "haptics", "image", "message", "model", "multipart",
    "text", "video",
)  # fmt: skip
"""The registered top-level types (https://www.iana.org/assignments/media-types)."""
_RANGES = {
    "image/*": "image/png",
    "audio/*": "audio/mpeg",
    "video/*": "video/mp4",
    "font/*": "font/woff2",
}


class Kind(IntEnum):
    """A kind of content; the best kinds for agents to write come first."""

    JSON = 0
    FORM = 1
    MULTIPART = 2
    TEXT = 3
    XML = 4
    BINARY = 5


FORMS = (Kind.FORM, Kind.MULTIPART)
"""The kinds that consist of fields or parts."""
_OF_KIND = {
    Kind.JSON: "application/json",
    Kind.FORM: "application/x-www-form-urlencoded",
    Kind.MULTIPART: "multipart/form-data",
    Kind.TEXT: "text/plain",
    Kind.XML: "application/xml",
    Kind.BINARY: "application/octet-stream",
}
"""The media type that is sent for each kind if the document names none."""


def is_valid(media_type: str) -> bool:
    """Whether a media type may be in a header: `type/subtype` and parameters (RFC 9110)."""
    return _MEDIA_TYPE.fullmatch(media_type) is not None


def first(text: str) -> str:
    """The media type at the start of a string; empty if there is none."""
    match = _FIRST.match(text)
    return match[1] if match is not None else ""


@lru_cache(maxsize=1024)
def kind(media_type: str) -> Kind:
    """The kind of a media type's content."""
    name = essence(media_type)
    if name in ("*/*", "application/*") or is_json(name):
        return Kind.JSON
    if name == "application/x-www-form-urlencoded":
        return Kind.FORM
    if name.startswith("multipart/"):
        return Kind.MULTIPART
    if name.startswith("message/"):
        return Kind.TEXT
    if name.endswith(("+xml", "/xml")) and not name.startswith("image/"):
        return Kind.XML
    if is_text(name) or is_json_lines(name):
        return Kind.TEXT
    return Kind.BINARY


def kind_by_schema(media_type: str, types: Set[str], *, is_binary: bool) -> Kind:
    """The kind of content by its schema, where the media type is unknown.

    Images and archives stay bytes, and so does content with `format: binary` (3.0.3,
    "Considerations for File Uploads": files are "described with the same semantics as any other
    schema type").
    """
    own = kind(media_type)
    says_nothing = is_binary or not types or len(types) >= len(_ANYTHING)
    if own is not Kind.BINARY or says_nothing or "*" in media_type or are_files(media_type):
        return own
    if types & _STRUCTURES:
        return Kind.JSON
    return own if are_bytes(media_type) else Kind.TEXT


def are_bytes(listed: str) -> bool:
    """Whether every media type of a comma-separated list is a byte type."""
    return all(_BYTES.fullmatch(essence(entry)) for entry in listed.split(","))


def are_files(listed: str) -> bool:
    """Whether all media types in a comma-separated list are binary, and none can be JSON."""
    if _FORMATS.fullmatch(essence(listed)):
        return True
    return are_bytes(listed) and essence(listed) != _OF_KIND[Kind.BINARY]


def are_xml(listed: str) -> bool:
    """Whether every media type of a comma-separated list is XML."""
    return all(kind(entry) is Kind.XML for entry in listed.split(","))


def correction(media_type: str) -> str:
    """A misspelled media type, corrected; empty if it is not misspelled, or nothing is similar."""
    kind_of, slash, rest = media_type.partition("/")
    if kind_of.lower() in _TYPES or kind_of == "*":
        return ""
    near = nearest(kind_of, _TYPES, _MIN_LIKENESS)
    return f"{near}{slash}{rest}" if near else ""


def rank(media_type: str, by_schema: Kind | None = None) -> tuple[int, int]:
    """A sort key that puts the best media type first: exact JSON, `+json`, then other kinds.

    A media type that only its schema shows to be JSON ranks like XML. Types of equal rank keep the
    document's order.
    """
    if by_schema is not None and not are_bytes(media_type):
        return (Kind.XML if by_schema is Kind.JSON else by_schema), 1
    name = essence(media_type)
    if name == "application/json":
        within = 0
    elif "*" in name:
        within = 3
    else:
        within = 1 if name.endswith("+json") or kind(media_type) is not Kind.JSON else 2
    return kind(media_type), within


def concrete(media_type: str) -> str:
    """The media type to send: a range such as `image/*` is replaced by one of its types."""
    name = essence(media_type)
    return _RANGES.get(name, _OF_KIND[kind(name)]) if "*" in name else media_type
