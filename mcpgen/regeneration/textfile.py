"""A text file whose encoding, byte order mark and line ends are preserved."""

from __future__ import annotations

import codecs
import io
import tokenize

from msgspec import Struct

TOO_DEEP = "cannot be read: its code is nested too deeply"
"""The message about a module that is too deep for Python's parser or mcpgen's."""

_WAY_OUT = "; save it as UTF-8"


class TextFile(Struct, frozen=True):
    """A file's text with LF line ends, and its encoding."""

    text: str
    encoding: str
    crlf: bool

    def encode(self, text: str) -> bytes:
        """Encode another text with the encoding, byte order mark and line ends of this one.

        Raises UnicodeEncodeError for characters that the encoding lacks.
        """
        lines = text.replace("\n", "\r\n") if self.crlf else text
        errors = "surrogateescape" if self.encoding.startswith("utf-8") else "strict"
        return lines.encode(self.encoding, errors)


def read(data: bytes, *, python: bool = False) -> TextFile:
    """Read a file's text; a Python module may declare its encoding.

    Raises ValueError, with advice, for bytes that are not text in that encoding.
    """
    if python:
        errors = "strict"
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except SyntaxError as error:
            raise ValueError(f"{error}{_WAY_OUT}") from None
    else:
        errors = "surrogateescape"
        encoding = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        text = data.decode(encoding, errors)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not valid {encoding}{_WAY_OUT}") from None
    except LookupError as error:  # a codec of Python that is none of text, such as `zlib`
        raise ValueError(f"{error}{_WAY_OUT}") from None
    crlf = "\r\n" in text and text.count("\n") == text.count("\r\n")
    return TextFile(text.replace("\r\n", "\n") if crlf else text, encoding, crlf)


def code_of(data: bytes) -> str:
    """The text of a module; for an unreadable module, a text that does not parse."""
    try:
        return read(data, python=True).text
    except ValueError:
        return decoded(data)


def decoded(content: str | bytes) -> str:
    """The file's content as text; bytes are decoded as UTF-8 (`surrogateescape`)."""
    return content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")


def encoded(content: str | bytes) -> bytes:
    """The bytes of a generated file."""
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
