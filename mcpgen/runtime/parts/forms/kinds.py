"""Request bodies other than one JSON value: lines, text, forms, multipart, bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...bodies.encoding import BODY, EncodedBody, Kind, json_body
from ...values.arguments import Limits
from ...values.errors import ArgumentError
from ...values.jsontext import json_text, scalar_text
from ...values.media import (
    charset,
    essence,
    is_json,
    is_json_lines,
    is_range,
    is_text,
    media_type_is_good,
    sniff,
)
from ...values.style import Part
from ..content.files import read_blob
from ..content.media_names import by_name, choose, in_charset
from .forms import Form, urlencoded
from .multipart import joined_multipart

_DEFAULTS = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data",
    "text": "text/plain",
    "binary": "application/octet-stream",
}


def encoded(
    kind: Kind,
    value: Any,
    media_type: str | None,
    encoding: Mapping[str, Part],
    file_root: str | os.PathLike[str] | None,
    limits: Limits,
) -> EncodedBody:
    """The encoded body; see `encode_body`."""
    if kind == "body":
        kind = kind_of(media_type or "application/json", value)
    declared = _concrete(kind, media_type)
    if kind == "json":
        if is_json_lines(declared):
            return EncodedBody(declared, _json_lines(value, declared, limits))
        return json_body(value, declared, limits)
    if kind == "text" or (kind == "form" and isinstance(value, str)):
        return _text(value, declared, limits)
    if kind == "binary":
        return _binary(value, media_type, file_root, limits)
    values = value if _is_ordered(declared, value) else _members(value)
    form = Form(values, encoding, file_root, limits)
    return _form(kind, declared, form)


def kind_of(media_type: str, value: Any) -> Kind:
    """How a body of this media type is written; for a wildcard, the value decides."""
    kind = essence(media_type)
    if is_json(kind) or is_json_lines(kind):
        return "json"
    has_fields = value is None or isinstance(value, Mapping)
    if has_fields and kind == "application/x-www-form-urlencoded":
        return "form"
    if kind.startswith("multipart/") and (has_fields or _is_ordered(kind, value)):
        return "multipart"
    if is_text(kind) or kind == "application/x-www-form-urlencoded":
        return "text"
    if kind in ("*", "*/*") and isinstance(value, str):
        return "text"
    return "binary" if isinstance(value, (str, bytes, bytearray)) else "json"


def _concrete(kind: str, media_type: str | None) -> str:
    if media_type is None or is_range(media_type) or not media_type_is_good(media_type):
        return _DEFAULTS[kind]
    return media_type


def _is_ordered(media_type: str, value: Any) -> bool:
    """Whether a multipart body is a list of parts without names; never true for form-data."""
    kind = essence(media_type)
    is_multipart = kind.startswith("multipart/") and kind != _DEFAULTS["multipart"]
    return is_multipart and isinstance(value, (list, tuple))


def _members(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ArgumentError(BODY, "must be an object: each of its members is a form field.")
    return value


def _json_lines(value: Any, media_type: str, limits: Limits) -> bytes:
    """Write one JSON value per line: a list gives a line per item, and a string is unchanged.

    For `json-seq`, a separator precedes each value (RFC 7464).
    """
    if isinstance(value, str):
        return scalar_text(BODY, value).encode()
    values = value if isinstance(value, (list, tuple)) else [value]
    mark = "\x1e" if essence(media_type).endswith("json-seq") else ""
    return "".join(f"{mark}{json_text(BODY, item, limits)}\n" for item in values).encode()


def _text(value: Any, media_type: str, limits: Limits) -> EncodedBody:
    if "xml" in media_type and isinstance(value, (Mapping, list, tuple)):
        raise ArgumentError(BODY, "must be the XML document as text.")
    text = "" if value is None else scalar_text(BODY, value, limits)
    name = charset(media_type)
    content = in_charset(BODY, text, name)
    if name is None and not text.isascii():
        media_type += "; charset=utf-8"
    return EncodedBody(media_type, content)


def _binary(
    value: Any, media_type: str | None, file_root: str | os.PathLike[str] | None, limits: Limits
) -> EncodedBody:
    content = b"" if value is None else value
    blob = read_blob(BODY, content, file_root, limits)
    content_type = _DEFAULTS["binary"]
    if media_type is not None:
        offers = (blob.content_type, by_name(blob.filename), sniff(blob.content))
        content_type = choose(media_type, offers, content_type)
    return EncodedBody(content_type, blob.content, blob.from_files)


def _form(kind: str, media_type: str, form: Form) -> EncodedBody:
    if kind == "form":
        return EncodedBody(media_type, urlencoded(form))
    whole = joined_multipart(form, media_type)
    return EncodedBody(whole.content_type, whole.content, whole.from_files)
