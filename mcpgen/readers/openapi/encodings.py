"""Encoding Objects: how the properties of a form or multipart body are encoded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...api import Encoding
from ...diagnostics import did_you_mean
from ...runtime.values.media import essence
from . import fields, media
from .media import Kind
from .versions import Version

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading


FIELD_STYLES = ("form", "spaceDelimited", "pipeDelimited", "deepObject")
"""The styles of query parameters, which fields of forms may have too (Encoding Object)."""
_MAX_DEPTH = 8
"""The most levels of nested forms and multiparts that are read."""
_ENCODINGS = ("encoding", "prefixEncoding", "itemEncoding")


def read_encodings(
    name: str, entry: Node, reading: Reading, depth: int = 0
) -> Iterator[tuple[str, Encoding]]:
    """The encodings in a Media Type Object, by property name.

    Parts without names have their positions as keys; `*` is for all further positions (3.2.0,
    "Encoding By Position").
    """
    if media.kind(name) not in media.FORMS or depth > _MAX_DEPTH:
        return
    for key, child in _nodes(name, entry, reading):
        # Inside parts references are not followed, since they may be endless.
        node = child if depth else fields.resolved(child, reading.diagnostics)
        if not isinstance(node.value, dict):
            fields.wrong_type(node, "encoding", "an object of objects", reading.diagnostics)
            continue
        _report_headers(key, node, reading)
        encoding = Encoding(_part_type(fields.string(node, "contentType", reading.diagnostics)))
        if _is_styled(name, encoding, reading.version):
            encoding = replace(
                encoding,
                style=_style(node, reading),
                explode=fields.boolean(node, "explode"),
                allow_reserved=fields.flag(node, "allowReserved"),
            )
        if encoding.content_type and media.kind(encoding.content_type) in media.FORMS:
            inner = _inner(encoding.content_type, node, reading, depth + 1)
            encoding = replace(encoding, parts=dict(inner))
        yield key, encoding


def _style(node: Node, reading: Reading) -> str | None:
    """The query style in the Encoding Object; None if it is missing or invalid."""
    style = fields.string(node, "style", reading.diagnostics)
    if not style or style in FIELD_STYLES:
        return style or None
    message = f"style `{style}` is not for fields of a form; the default is used"
    hint = did_you_mean(style, FIELD_STYLES, "")
    reading.diagnostics.warning("style", message, node["style"], hint)
    return None


def _inner(name: str, node: Node, reading: Reading, depth: int) -> Iterator[tuple[str, Encoding]]:
    """The encodings of the parts inside a part."""
    for key in _ENCODINGS:
        if node.optional(key).is_ref:
            message = (
                f"`{key}` of a part must not be a reference; it is ignored, and parts are written "
                "by their types"
            )
            reading.diagnostics.warning("encoding", message, node.child(key))
            return iter(())
    return read_encodings(name, node, reading, depth)


def _nodes(name: str, entry: Node, reading: Reading) -> Iterator[tuple[str, Node]]:
    yield from fields.members(entry, "encoding", reading.diagnostics)
    if media.kind(name) is Kind.MULTIPART and essence(name) != "multipart/form-data":
        for at, node in enumerate(fields.elements(entry, "prefixEncoding", reading.diagnostics)):
            yield str(at), node
        other = fields.object_at(entry, "itemEncoding", reading.diagnostics)
        if other is not None:
            yield "*", other


def _report_headers(key: str, node: Node, reading: Reading) -> None:
    """Report the required headers of a part that are not sent: only Content-Type is sent."""
    for name, child in fields.members(node, "headers", reading.diagnostics):
        header = fields.resolved(child, reading.diagnostics)
        if fields.flag(header, "required") and name.lower() != "content-type":
            message = f"the header `{name}` of the part `{key}` is required, but is not sent"
            reading.diagnostics.warning("part-header", message, child)


def _is_styled(name: str, encoding: Encoding, version: Version) -> bool:
    """Whether `style` applies: in URL-encoded forms, and since 3.1 in multipart/form-data.

    In a 3.0 document, it applies in multipart/form-data too if no content type is set, as in 3.1.
    """
    if media.kind(name) is Kind.FORM:
        return True
    if essence(name) != "multipart/form-data":
        return False
    return version >= Version.V31 or encoding.content_type is None


def _part_type(declared: str) -> str | None:
    """The value of `contentType`: a media type, range or comma-separated list; None if invalid."""
    entries = [entry.strip() for entry in declared.split(",")]
    return declared if all(media.is_valid(entry) for entry in entries) else None
