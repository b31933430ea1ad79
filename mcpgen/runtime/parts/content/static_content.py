"""Texts and files of the package itself, for resources and prompts.

`{name}` in a text or a file's name is replaced with an argument. Files are in the package's folder
`files`; nothing outside it is ever read.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import anyio.to_thread

from ...values.arguments import Limits
from ...values.errors import ArgumentError, ToolError
from .files import TooLarge, read_blob

if TYPE_CHECKING:
    from ...results.limits import ResultLimit

FOLDER = "files"

_PLACE = re.compile(r"\{([^{}]+)\}")
_SEPARATOR = re.compile(r"[/\\]")
_CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_URI = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]*:(?://(?:{_CHARACTER}|[\[\]])*(?=[/?#]|\Z))?"
    rf"(?:{_CHARACTER}|/)*(?:\?(?:{_CHARACTER}|[/?])*)?(?:#(?:{_CHARACTER}|[/?])*)?"
)


class NoSuchFile(ToolError):
    """The file is not in the package's folder."""


def filled(value: Any, arguments: Mapping[str, str], names: Collection[str]) -> Any:
    """A JSON value whose texts have the arguments filled in; an absent argument is empty."""
    if isinstance(value, str):
        return _PLACE.sub(lambda m: arguments.get(m[1], "") if m[1] in names else m[0], value)
    if isinstance(value, Mapping):
        return {key: filled(item, arguments, names) for key, item in value.items()}
    return [filled(item, arguments, names) for item in value] if isinstance(value, list) else value


async def read_file(package: str, name: str, limit: ResultLimit) -> bytes:
    """The bytes of a file in the package's folder `files`.

    Raises:
        NoSuchFile: no file has that name, or it lies outside the folder; a name with `..` is always
            refused, since it would leave the folder that its author named.
        ToolError: the file is larger than `limit`.
    """
    folder = Path(import_module(package).__file__ or "").parent / FOLDER
    uri = f"file:{quote(name)}"

    def read() -> bytes:
        return read_blob("file", uri, folder, Limits(file=limit.size)).content

    if "\0" in name or name.startswith("/") or ".." in _SEPARATOR.split(name):
        raise NoSuchFile(f"There is no file {name[:200]!r}.")
    try:
        return await anyio.to_thread.run_sync(read)
    except TooLarge:
        raise ToolError(
            f"The file {name[:200]!r} has more than the {limit.size:,} bytes that this server "
            f"passes on: raise {limit.variable}."
        ) from None
    except ArgumentError:
        raise NoSuchFile(f"There is no file {name[:200]!r} that can be read.") from None


def is_uri(text: str) -> bool:
    """Whether a text is a URI (RFC 3986): it has a scheme, and only characters that URIs allow."""
    return _URI.fullmatch(text) is not None


def is_base64(text: str) -> bool:
    """Whether a text is base64 and nothing else."""
    try:
        b64decode(text, validate=True)
    except ValueError:
        return False
    return True


def problem_of(member: str, value: str) -> str:
    """The problem of a member of a content block or of its resource; empty if there is none."""
    if member == "uri" and not is_uri(value):
        return "is not a URI (RFC 3986)"
    if member in ("data", "blob") and not is_base64(value):
        return "is not base64"
    return ""
