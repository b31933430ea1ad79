"""Environment variables whose values may be in files, and the functions that parse settings.

Such a function is called a reader. It returns a setting's value, or raises ValueError. The error
says what is expected, and never contains the text itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from .errors import ToolError
from .media import is_token, is_value
from .urls import parsed

Pairs = tuple[tuple[str, str], ...]

HIDDEN: dict[str, str] = {}
"""The variables of values that agents never see, once they were read, by each text in them."""
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS = ("text", "json")
RESULT_TEXTS = ("full", "summary")

_MAX_FILE_BYTES = 64 * 1024
FRAMING = ("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade")
_HEADERS = 'must be lines `Name: value` or a JSON object such as {"X-Tenant": "a"}'
SCOPE = re.compile(r"[!#-\[\]-~]+")
_PATTERN = re.compile(r"!?[^\s!,]+")
_PROXIES = ("http", "https", "socks5", "socks5h")
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class EnvironmentWithFiles(Mapping[str, str]):
    """The environment; if `NAME` is empty, its value is in the file that `NAME_FILE` names.

    A file is read each time, so that a mounted secret may change while the server runs. Line ends
    after the value are dropped.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        value = actual(self._environ.get(name, ""))
        path = actual(self._environ.get(f"{name}_FILE", ""))
        if value or not path:
            return _unicode(name, actual(self._environ[name]))
        try:
            with Path(path).open("rb") as file:
                content = file.read(_MAX_FILE_BYTES + 1)
            if len(content) > _MAX_FILE_BYTES:
                raise ValueError
            return actual(content.decode("utf-8-sig"))
        except (OSError, ValueError):
            raise ToolError(
                f"This server cannot read the file set in its environment variable {name}_FILE. "
                "Nothing was sent."
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)


def actual(text: str) -> str:
    """A value without trailing line ends; empty if blank or a placeholder such as `${KEY}`."""
    return text.rstrip("\r\n") if text.strip() and not is_placeholder(text) else ""


def is_placeholder(text: str) -> bool:
    """Whether a text is exactly `${...}`, which a host leaves when a value is missing."""
    return text.strip().startswith("${") and text.strip().endswith("}")


def _unicode(name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:  # Python reads other bytes as surrogates
        raise ToolError(
            f"This server's environment variable {name} is not text in UTF-8. Nothing was sent."
        ) from None
    return value


def seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise ValueError("must be a number of seconds above 0 and below 1e9")
    return value


def whole(text: str, least: int = 1) -> int:
    """Read a whole number."""
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15 and int(digits) >= least):
        raise ValueError(f"must be a whole number of at most 15 digits, {least} or more")
    return int(digits)


def headers(text: str, shape: str = _HEADERS) -> Pairs:
    """Read the names and values of headers, from lines or from a JSON object."""
    pairs = members(text, shape)
    for name, value in pairs:
        if not is_token(name):
            raise ValueError(shape)
        if name.lower() in FRAMING:
            raise ValueError(f"must not hold {name}: the connection sets it itself")
        if not is_value(value):
            raise ValueError("must hold ASCII header values only")
    return pairs


def members(text: str, shape: str) -> Pairs:
    """Read names and values, from lines `Name: value` or a JSON object; errors quote `shape`."""
    if text.startswith("{"):
        try:
            pairs = list(json.loads(text).items())
        except ValueError:
            raise ValueError(shape) from None
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        if not all(":" in line for line in lines):
            raise ValueError(shape)
        pairs = [line.split(":", 1) for line in lines]
    if not all(isinstance(value, str) for _, value in pairs):
        raise ValueError(shape)
    return tuple((name.strip(), value.strip()) for name, value in pairs)


def list_of(
    pattern: re.Pattern[str], message: str, separator: str | None = ",", *, lower: bool = False
) -> Callable[[str], tuple[str, ...]]:
    """A reader of lists whose items match a pattern; without a `separator`, blanks separate
    items.
    """

    def read(text: str) -> tuple[str, ...]:
        parts = [part.strip() for part in (text.lower() if lower else text).split(separator)]
        parts = list(dict.fromkeys(filter(None, parts)))
        if not parts or not all(map(pattern.fullmatch, parts)):
            raise ValueError(message)
        return tuple(parts)

    return read


hosts = list_of(
    re.compile(r"([^\s/@?#*:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]+)?"),
    "must be host names separated by commas, such as files.example.com",
    lower=True,
)
"""Names or addresses in lower case, with or without a port."""


names = list_of(
    re.compile(r"[^\s,]{1,100}"), "must be names separated by commas, such as toolCallId"
)
"""Names of arguments."""


def flag(text: str) -> bool:
    """Read a boolean, such as `yes` or `no`."""
    if text.lower() not in _FLAGS:
        raise ValueError("must be true or false")
    return _FLAGS[text.lower()]


def patterns(text: str) -> tuple[str, ...]:
    """Read names and globs, separated by commas."""
    return list_of(_PATTERN, "must be groups, names of tools or globs, separated by commas")(text)


def is_scope(text: str) -> bool:
    """Whether a text is a valid scope (RFC 6749 3.3)."""
    return SCOPE.fullmatch(text) is not None


def one_of(*choices: str) -> Callable[[str], str]:
    """A reader that accepts one of the choices, in upper or lower case."""
    return partial(_one_of, choices=choices)


def _one_of(text: str, choices: Sequence[str]) -> str:
    for choice in choices:
        if choice.lower() == text.lower():
            return choice
    raise ValueError(f"must be one of {', '.join(choices)}")


def proxy(text: str) -> str:
    """Read the URL of a proxy, which may contain a password."""
    parts = parsed(text)
    is_plain = text.isprintable() and not any(map(str.isspace, text))
    if parts is None or parts.scheme not in _PROXIES or not is_plain:
        raise ValueError("must be a proxy URL such as http://proxy.example.com:3128")
    return text
