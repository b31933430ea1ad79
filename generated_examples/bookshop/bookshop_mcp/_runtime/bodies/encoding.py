"""Request bodies: a value and a media type to a Content-Type and bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..values.arguments import DEFAULT_LIMITS, Limits, Unset
from ..values.errors import ArgumentError, optional
from ..values.jsontext import in_charset, json_in, json_text, scalar_text
from ..values.media import (
    by_name,
    charset,
    choose,
    essence,
    is_json,
    is_json_lines,
    is_range,
    is_text,
    media_type_is_good,
    sniff,
)
from ..values.style import Part

Kind = Literal["json", "form", "multipart", "text", "binary", "body"]

_BODY = "body"
"""What a body is called in messages, where no member of it can be name."""
_DEFAULTS = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data",
    "text": "text/plain",
    "binary": "application/octet-stream",
}


@dataclass(frozen=True, slots=True)
class EncodedBody:
    """A body ready to be sent; without a content type there is none."""

    content_type: str | None
    content: bytes
    from_files: int = 0
    """How many bytes of the content are not from arguments."""


def encode_body(
    kind: Kind,
    value: Any,
    media_type: str | None = None,
    encoding: Mapping[str, Part] | None = None,
    file_root: str | os.PathLike[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> EncodedBody:
    """Write a request body; `body` leaves the way of writing to the media type.

    `encoding` says how properties of a form are written, `*` how all others are; members that are
    UNSET are left out.

    Raises:
        ArgumentError: a value that the media type cannot carry, or too many bytes.
    """
    if isinstance(value, Unset):
        return EncodedBody(None, b"")
    if kind == "body":
        kind = kind_of(media_type or "application/json", value)
    declared = _concrete(kind, media_type)
    if kind == "json":
        body = EncodedBody(declared, _json(value, declared, limits))
    elif kind == "text" or (kind == "form" and isinstance(value, str)):
        body = _text(value, declared, limits)
    elif kind == "binary":
        body = _binary(value, media_type, file_root, limits)
    else:
        values = value if _is_ordered(declared, value) else _members(value)
        form = optional("values.forms").Form(values, encoding or {}, file_root, limits)
        body = _form(kind, declared, form)
    size = len(body.content) - body.from_files
    if size > limits.body:
        raise ArgumentError(
            "", f"The arguments make a body of {size} bytes; at most {limits.body} are sent."
        )
    return body


def kind_of(media_type: str, value: Any) -> Kind:
    """The way of writing that a media type, and for wildcards the value, stands for."""
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
    """Whether an array is the parts of a multipart body; those of a form must have names."""
    kind = essence(media_type)
    is_multipart = kind.startswith("multipart/") and kind != _DEFAULTS["multipart"]
    return is_multipart and isinstance(value, (list, tuple))


def _members(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ArgumentError(_BODY, "must be an object: each of its members is a form field.")
    return value


def _json(value: Any, media_type: str, limits: Limits) -> bytes:
    if is_json_lines(media_type):
        return _json_lines(value, media_type, limits)
    if not isinstance(value, Mapping):
        return json_in(_BODY, value, media_type, limits)
    members = {name: member for name, member in value.items() if not isinstance(member, Unset)}
    try:
        return json_in(_BODY, members, media_type, limits)
    except ArgumentError:
        for name, member in members.items():
            json_text(str(name), member, limits)
        raise


def _json_lines(value: Any, media_type: str, limits: Limits) -> bytes:
    """A value a line, each after a record separator in RFC 7464's; text is sent as it is."""
    if isinstance(value, str):
        return scalar_text(_BODY, value).encode()
    values = value if isinstance(value, (list, tuple)) else [value]
    mark = "\x1e" if essence(media_type).endswith("json-seq") else ""
    return "".join(f"{mark}{json_text(_BODY, item, limits)}\n" for item in values).encode()


def _text(value: Any, media_type: str, limits: Limits) -> EncodedBody:
    if "xml" in media_type and isinstance(value, (Mapping, list, tuple)):
        raise ArgumentError(_BODY, "must be the XML document as text.")
    text = "" if value is None else scalar_text(_BODY, value, limits)
    name = charset(media_type)
    content = in_charset(_BODY, text, name)
    if name is None and not text.isascii():
        media_type += "; charset=utf-8"
    return EncodedBody(media_type, content)


def _binary(
    value: Any,
    media_type: str | None,
    file_root: str | os.PathLike[str] | None,
    limits: Limits,
) -> EncodedBody:
    content = b"" if value is None else value
    blob = optional("values.files").read_blob(_BODY, content, file_root, limits)
    content_type = _DEFAULTS["binary"]
    if media_type is not None:
        offers = (blob.content_type, by_name(blob.filename), sniff(blob.content))
        content_type = choose(media_type, offers, content_type)
    return EncodedBody(content_type, blob.content, blob.from_files)


def _form(kind: str, media_type: str, form: Any) -> EncodedBody:
    if kind == "form":
        return EncodedBody(media_type, optional("values.forms").urlencoded(form))
    whole = optional("bodies.multipart").joined_multipart(form, media_type)
    return EncodedBody(whole.content_type, whole.content, whole.from_files)
