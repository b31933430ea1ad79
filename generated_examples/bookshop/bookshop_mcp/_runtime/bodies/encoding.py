"""Request bodies: turns a value and a media type into a Content-Type and bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..values.arguments import DEFAULT_LIMITS, Limits, Unset
from ..values.errors import ArgumentError
from ..values.jsontext import json_in, json_text
from ..values.media import is_json_lines, is_range, media_type_is_good
from ..values.seams import WRITERS
from ..values.style import Part

Kind = Literal["json", "form", "multipart", "text", "binary", "body"]

BODY = "body"
"""What a body is called in messages, where no member of it can be name."""


@dataclass(frozen=True, slots=True)
class EncodedBody:
    """A body ready to be sent; without a content type there is no body."""

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
    """Write a request body; with the kind `body`, the media type decides how it is written.

    `encoding` says how the properties of a form are written, by name; `*` is for all others.
    Members that are UNSET are left out.

    Raises:
        ArgumentError: a value that the media type cannot carry, or too many bytes.
    """
    if isinstance(value, Unset):
        return EncodedBody(None, b"")
    if kind == "json" and not is_json_lines(media_type or ""):
        body = json_body(value, media_type, limits)
    else:
        write = WRITERS["lines" if kind == "json" else kind]
        body = write(kind, value, media_type, encoding or {}, file_root, limits)
    size = len(body.content) - body.from_files
    if size > limits.body:
        raise ArgumentError(
            "", f"The arguments make a body of {size} bytes; at most {limits.body} are sent."
        )
    return body


def json_body(value: Any, media_type: str | None, limits: Limits) -> EncodedBody:
    """Write a JSON body; `application/json` replaces an invalid media type, or a wildcard like
    `*/*`.
    """
    if not media_type or is_range(media_type) or not media_type_is_good(media_type):
        media_type = "application/json"
    return EncodedBody(media_type, _json(value, media_type, limits))


def _json(value: Any, media_type: str, limits: Limits) -> bytes:
    if not isinstance(value, Mapping):
        return json_in(BODY, value, media_type, limits)
    members = {name: member for name, member in value.items() if not isinstance(member, Unset)}
    try:
        return json_in(BODY, members, media_type, limits)
    except ArgumentError:
        for name, member in members.items():
            json_text(str(name), member, limits)
        raise
