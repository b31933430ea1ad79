"""Binary arguments: base64, a `data:` URI, or a `file:` URI inside the allowed folder."""

from __future__ import annotations

import base64
import binascii
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from ...values.arguments import Limits
from ...values.errors import ArgumentError
from ...values.media import media_type_is_good

_URL_SAFE = str.maketrans("-_", "+/")
_EXPECTED = (
    "give the bytes as base64, or as a data: URI such as "
    "data:text/plain,hello or data:image/png;base64,iVBORw0…"
)


class TooLarge(ArgumentError):
    """A file has more bytes than the limit."""


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of an argument, with their name and media type."""

    content: bytes
    content_type: str | None = None
    filename: str | None = None
    from_files: int = 0
    """How many of the bytes are not from arguments."""


def read_blob(
    argument: str, value: Any, file_root: str | os.PathLike[str] | None, limits: Limits
) -> Blob:
    """The bytes of a binary argument.

    Raises:
        ArgumentError: the value is not base64, not a `data:` URI, and not the URI of a readable
            file below `file_root`.
    """
    if isinstance(value, (bytes, bytearray)):
        return Blob(bytes(value))
    if not isinstance(value, str):
        raise ArgumentError(argument, f"is binary: {_EXPECTED}.")
    scheme = value[:5].lower()
    if scheme == "data:":
        return _data_uri(argument, value)
    if scheme == "file:":
        return _file(argument, value, file_root, limits)
    return Blob(_base64(argument, value))


def _base64(argument: str, text: str) -> bytes:
    """Decode both alphabets (RFC 4648 4 and 5), with or without line breaks and padding.

    Text with blanks between words, or with pad bits that are not zero (3.5), is refused: it was
    probably never encoded.
    """
    lines = text.replace("\r", "\n").split("\n")
    packed = "".join(line.strip(" \t") for line in lines).translate(_URL_SAFE).rstrip("=")
    groups = len(packed) // 4
    try:
        content = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
        if base64.b64encode(content[groups * 3 :]).decode().rstrip("=") == packed[groups * 4 :]:
            return content
    except (binascii.Error, ValueError):
        pass
    raise ArgumentError(argument, f"is binary and not valid base64: {_EXPECTED}.")


def _data_uri(argument: str, uri: str) -> Blob:
    """Read a `data:` URI (RFC 2397); its `name` parameter, if given, is the file's name.

    Models write characters directly where the RFC requires escapes; they are read as UTF-8.
    """
    head, comma, data = uri[5:].partition(",")
    if not comma:
        raise ArgumentError(argument, "is a data: URI without the comma before its data.")
    kind, *parameters = [part.strip() for part in head.split(";")]
    packed = bool(parameters) and parameters[-1].lower() == "base64"
    if packed:
        parameters.pop()
    names = [unquote(p[5:]) for p in parameters if p.lower().startswith("name=")]
    others = [p for p in parameters if not p.lower().startswith("name=")]
    content_type = ";".join([kind or "text/plain", *others])
    charsets = {p[8:].strip('"').lower() for p in others if p.lower().startswith("charset=")}
    if not data.isascii() and (packed or charsets - {"utf-8"}):
        raise ArgumentError(
            argument, "is a data: URI with characters that must be percent-encoded."
        )
    content = _base64(argument, unquote(data)) if packed else unquote_to_bytes(data)
    return Blob(
        content,
        content_type if media_type_is_good(content_type) and (kind or others) else None,
        names[0] if names else None,
    )


def _file(argument: str, uri: str, root: str | os.PathLike[str] | None, limits: Limits) -> Blob:
    if not root:
        raise ArgumentError(
            argument,
            "is a file: URI, but this server reads no files: no folder is set for them. "
            "Give the bytes as base64 instead.",
        )
    path = _inside(argument, uri, Path(root))
    try:
        descriptor = _opened(path)
    except OSError:
        raise ArgumentError(argument, "names a file that cannot be read.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ArgumentError(argument, "names something that is not a regular file.")
    with os.fdopen(descriptor, "rb") as stream:
        content = stream.read(limits.file + 1)
    if len(content) > limits.file:
        raise TooLarge(argument, f"names a file of more than {limits.file} bytes.")
    return Blob(content, filename=path.name, from_files=len(content))


def _opened(path: Path) -> int:
    """Open a resolved path for reading; symbolic links created since then are not followed."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0)
    if os.open not in os.supports_dir_fd:
        return os.open(path, flags)
    folder = os.open(path.anchor, os.O_RDONLY)
    try:
        for name in path.parts[1:-1]:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(path.name, flags, dir_fd=folder)
    finally:
        os.close(folder)


def _inside(argument: str, uri: str, root: Path) -> Path:
    """The path with every link resolved; refused if it is outside the folder."""
    outside = ArgumentError(
        argument,
        "names a file that is not in the folder that this server may read. "
        "A relative name, as in file:report.pdf, is looked up in that folder.",
    )
    try:
        parts = urlsplit(uri)
        name = unquote(parts.path, errors="strict")
        if parts.netloc not in ("", "localhost") or parts.query or parts.fragment or not name:
            raise ArgumentError(
                argument,
                "must be a file: URI such as file:///folder/name, with `?` and `#` encoded.",
            )
        if os.name == "nt" and re.match(r"/[A-Za-z]:", name):
            name = name[1:]
        folder = root.resolve(strict=True)
        path = (folder / name).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise outside from None
    if not path.is_relative_to(folder):
        raise outside
    return path
