"""Document text as literals in the languages of generated files.

Document text enters a file only in this way, except for the identifiers that the naming stage
makes.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import orjson

from .prose import first_paragraph


def py(value: Any) -> str:
    """A Python literal of a JSON value; unprintable characters are escaped."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{py(k)}: {py(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(py(v) for v in value) + "]"
    return repr(value)


def py_lines(value: Any) -> str:
    """A Python literal for a value; a string of several lines becomes one literal per line."""
    if not isinstance(value, str) or "\n" not in value.rstrip("\n"):
        return py(value)
    return "(" + " ".join(py(line) for line in value.splitlines(keepends=True)) + ")"


def docstring(text: str) -> str:
    """A Python docstring literal for `text`, with its quotes; no text can end it early."""
    body = text.replace("\\", "\\\\")
    if not body.isprintable():
        body = "".join(_printable(c) for c in body)
    return '"""' + re.sub(r'"(?="")|"$', r"\"", body) + '"""'


def _printable(char: str) -> str:
    if char == "\n" or char.isprintable():
        return char
    return f"\\x{ord(char):02x}" if ord(char) <= 0xFF else _escaped(char)


def _escaped(char: str) -> str:
    """A character with the escape that Python and TOML use."""
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def toml(text: str) -> str:
    """A TOML basic string (TOML 1.0, "String"); lone surrogates become U+FFFD."""
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char.isprintable():
            out.append(char)
        else:
            out.append(_escaped("\ufffd" if "\ud800" <= char <= "\udfff" else char))
    return '"' + "".join(out) + '"'


MAX_DIGITS = 4000
"""The most digits that a server passes on as a number; Python's own limit is 4,300."""
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|&~$!@]|(?<=:)/(?=/)|(?<=[Ww]{3})\.")
"""Characters with a meaning in Markdown, and parts that turn an address into a link."""
_LIST_MARKER = re.compile(r"(\d*)([-+=.)])")


def markdown(text: str) -> str:
    """One line of Markdown that shows `text` literally."""
    line = _MARKDOWN.sub(r"\\\g<0>", one_line(text))
    marker = _LIST_MARKER.match(line)
    return f"{marker[1]}\\{line[marker.start(2) :]}" if marker else line


def code_span(text: str) -> str:
    """A Markdown code span that cannot break its table cell.

    A text with a `|` is not shown as code: renderers disagree on how to read `\\|` in a code span.
    """
    line = one_line(text)
    if "|" in line:
        return markdown(line)
    ticks = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (ticks + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def one_line(text: str) -> str:
    """The text on one line, without unprintable characters."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


_SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[\u3002\uff01\uff1f\uff61])(?![)\u300d\u300f\uff09])")
"""Chinese and Japanese have no space after a sentence; one in brackets belongs to another."""


def sentence(text: str, limit: int = 160) -> str:
    """The first sentence of a text without markup, on one line, at most `limit` characters."""
    line = one_line(first_paragraph(text))
    end = _SENTENCE_END.search(line)
    return _cut(line[: end.start()] if end else line, limit)


def statement(text: str, limit: int = 160) -> str:
    """The first sentence of a text that is not a question, cut to `limit` like a `sentence`."""
    line, start = one_line(first_paragraph(text)), 0
    for end in _SENTENCE_END.finditer(line):
        if not line[start : end.start()].endswith(("?", "\uff1f")):
            break
        start = end.end()
    return sentence(line[start:] or line, limit)


def ended(text: str) -> str:
    """The sentence with a full stop, unless it already ends in another mark."""
    return text if text.endswith(("…", "?", "!", "？", "！")) else f"{text}."


def paragraph(text: str, limit: int) -> str:
    """The first paragraph of a text without markup, on one line, at most `limit` characters."""
    return _cut(one_line(first_paragraph(text)), limit)


def _cut(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    end = line.rfind(" ", limit // 2, limit)  # Chinese and Japanese have few blanks
    return line[: end if end >= 0 else limit - 1].rstrip(" ,;:") + "…"


def json_text(value: Any) -> str:
    """The text of a JSON file; only unprintable characters are escaped."""
    return json_data(value).decode()


def json_data(value: Any) -> bytes:
    """The bytes of a JSON file, which ends in a newline."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    except TypeError:  # only the slower encoder writes lone surrogates and long integers
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        data = text.encode("utf-8", "surrogatepass")
    if not _is_printable(data):
        data = _NOT_ASCII.sub(_json_character, data)
    return data + b"\n"


def ascii_text(value: Any) -> str:
    """Indented JSON text that only has printable ASCII characters."""
    with suppress(TypeError):  # a lone surrogate
        data = orjson.dumps(value, option=orjson.OPT_INDENT_2)
        if data.isascii() and b"\x7f" not in data:
            return data.decode()
    return json.dumps(value, indent=2)


def json_bytes(value: Any) -> bytes:
    """Compact JSON without needless escapes."""
    try:
        return orjson.dumps(value)
    except TypeError:  # only the slower encoder writes lone surrogates and long integers
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "surrogatepass")


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equal in JSON and have their members in the same order."""
    return one is other or json_bytes(one) == json_bytes(other)


def parsed(text: str | bytes) -> Any:
    """The value that a JSON text encodes."""
    try:
        return orjson.loads(text)
    except ValueError:  # lone surrogates
        return json.loads(text)


_NOT_ASCII = re.compile(rb"[\x7f\xc0-\xff][\x80-\xbf]*")
"""A UTF-8 character that is not in `_WRITTEN`."""
_WRITTEN = bytes(range(0x7F))
"""The ASCII characters that stay: JSON's encoders already escape unprintable ones."""


def _is_printable(data: bytes) -> bool:
    """Whether a JSON text has no characters to escape; fast for ASCII, as most texts are."""
    if data.isascii() and b"\x7f" not in data:
        return True
    others = data.translate(None, _WRITTEN)
    return others.decode("utf-8", "surrogatepass").isprintable()


def _json_character(match: re.Match[bytes]) -> bytes:
    char = match[0].decode("utf-8", "surrogatepass")
    return match[0] if char.isprintable() else json.dumps(char)[1:-1].encode()
