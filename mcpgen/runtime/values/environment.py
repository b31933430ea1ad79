"""What variables of the environment hold: values or files of them, and what settings' texts mean.

A reader returns a setting's value, or raises ValueError saying what it must be, never the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from .errors import ToolError
from .media import is_token, is_value
from .urls import DEFAULT_PORTS, is_secure, parsed

Pairs = tuple[tuple[str, str], ...]

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS = ("text", "json")
RESULT_TEXTS = ("full", "summary")

_LARGEST_FILE = 64 * 1024
_FRAMING = ("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade")
_HEADERS = 'must be lines `Name: value` or a JSON object such as {"X-Tenant": "a"}'
_CALLERS = "must name a header for each scheme, such as `oauth: X-Api-Token`"
_BEARER = re.compile(r"[A-Za-z0-9._~+/-]+=*")  # RFC 6750 2.1
_SCOPE = re.compile(r"[!#-\[\]-~]+")
_PROXIES = ("http", "https", "socks5", "socks5h")
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class EnvironmentWithFiles(Mapping[str, str]):
    """The environment, with files read where a variable is empty; line ends after a value go.

    A file is read each time, so that a mounted secret may change while the server runs.
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
                content = file.read(_LARGEST_FILE + 1)
            if len(content) > _LARGEST_FILE:
                raise ValueError
            return actual(content.decode("utf-8-sig"))
        except (OSError, ValueError):
            raise ToolError(
                f"The file that this server's environment variable {name}_FILE names cannot be "
                "read. Nothing was sent."
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)


def actual(text: str) -> str:
    """A value without line ends; empty for blanks, no credential, and for a placeholder."""
    return text.rstrip("\r\n") if text.strip() and not is_placeholder(text) else ""


def is_placeholder(text: str) -> bool:
    """Whether a text is a whole `${...}`, which a host leaves where it has no value."""
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
    """A span of time."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise ValueError("must be a number of seconds above 0 and below 1e9")
    return value


def whole(text: str, least: int = 1) -> int:
    """A count."""
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15 and int(digits) >= least):
        raise ValueError(f"must be a whole number of at most 15 digits, {least} or more")
    return int(digits)


def headers(text: str, shape: str = _HEADERS) -> Pairs:
    """Names and values, in lines or as a JSON object."""
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
    result = []
    for name, value in pairs:
        if not isinstance(value, str) or not is_token(name.strip()):
            raise ValueError(shape)
        if name.strip().lower() in _FRAMING:
            raise ValueError(f"must not hold {name.strip()}: the connection needs it for itself")
        if not is_value(value):
            raise ValueError("must hold ASCII header values only")
        result.append((name.strip(), value.strip()))
    return tuple(result)


def caller_headers(text: str) -> Pairs:
    """A scheme and the header of its credential, a line each; `none` for no scheme."""
    schemes = () if text.lower() == "none" else headers(text, _CALLERS)
    if not all(is_token(header) and header.lower() not in _FRAMING for _, header in schemes):
        raise ValueError(_CALLERS)
    return schemes


def _each(
    pattern: re.Pattern[str], message: str, separator: str | None = ",", *, lower: bool = False
) -> Callable[[str], tuple[str, ...]]:
    """A reader of texts with a separator, or blanks, between them, each of which matches."""

    def read(text: str) -> tuple[str, ...]:
        parts = [part.strip() for part in (text.lower() if lower else text).split(separator)]
        parts = list(dict.fromkeys(filter(None, parts)))
        if not parts or not all(map(pattern.fullmatch, parts)):
            raise ValueError(message)
        return tuple(parts)

    return read


hosts = _each(
    re.compile(r"([^\s/@?#*:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]+)?"),
    "must be host names separated by commas, such as files.example.com",
    lower=True,
)
"""Names or addresses in lower case, with or without a port."""
secrets = _each(
    re.compile(".{32,}", re.DOTALL), "must be texts of at least 32 characters, separated by commas"
)
"""Keys that seal: the first one, and older ones that still open."""
scopes = _each(
    _SCOPE, 'must be scopes: ASCII without `"` and `\\`, separated by blanks', separator=None
)


def origins(text: str) -> tuple[str, ...]:
    """Origins as browsers send them."""
    return tuple(map(_origin, filter(None, map(str.strip, text.lower().split(",")))))


def _origin(text: str) -> str:
    """An origin without the port that its scheme has by default."""
    text = text.rstrip("/")
    parts = parsed(text)
    origin = f"{parts.scheme}://{parts.netloc}" if parts else ""
    if parts is None or parts.scheme not in DEFAULT_PORTS or text != origin:
        raise ValueError("must be origins separated by commas, such as https://app.example.com")
    return text.removesuffix(f":{DEFAULT_PORTS[parts.scheme]}")


def flag(text: str) -> bool:
    """Yes or no."""
    if text.lower() not in _FLAGS:
        raise ValueError("must be true or false")
    return _FLAGS[text.lower()]


def secure_url(text: str) -> str:
    """A URL that may receive secrets."""
    if not is_secure(text):
        raise ValueError("must be an https URL such as https://login.example.com/token")
    return text


def is_scope(text: str) -> bool:
    """Whether a text is a scope (RFC 6749 3.3), so that a token can have it."""
    return _SCOPE.fullmatch(text) is not None


def implied(text: str) -> Pairs:
    """Pairs of a scope and one that it stands for."""
    lines = [line.partition(": ") for line in text.splitlines() if line.strip()]
    if not all(broad.strip() and narrow.strip() for broad, _, narrow in lines):
        raise ValueError("must be lines such as `pets:admin: pets:read pets:write`")
    return tuple((broad.strip(), scope) for broad, _, narrow in lines for scope in narrow.split())


def rates(text: str) -> tuple[tuple[str, int], ...]:
    """Tools and their calls a minute."""
    lines = [part.rpartition(":") for part in text.split(",")]
    try:
        pairs = tuple((name.strip(), whole(count.strip())) for name, _, count in lines)
    except ValueError:
        pairs = (("", 0),)
    if not all(name for name, _ in pairs):
        raise ValueError("must be tools and whole numbers above 0, such as `search: 30, *: 60`")
    return pairs


def token(text: str) -> str:
    """A bearer token that cannot be guessed by chance."""
    if len(text) < 16 or not _BEARER.fullmatch(text):
        raise ValueError("must be at least 16 letters, digits and `-._~+/`, `=` only at its end")
    return text


def one_of(*choices: str) -> Callable[[str], str]:
    """A reader of one of several words, in whatever case."""
    return partial(_one_of, choices=choices)


def _one_of(text: str, choices: Sequence[str]) -> str:
    for choice in choices:
        if choice.lower() == text.lower():
            return choice
    raise ValueError(f"must be one of {', '.join(choices)}")


def proxy(text: str) -> str:
    """The URL of a proxy, which may hold a password."""
    parts = parsed(text)
    is_plain = text.isprintable() and not any(map(str.isspace, text))
    if parts is None or parts.scheme not in _PROXIES or not is_plain:
        raise ValueError("must be a proxy URL such as http://proxy.example.com:3128")
    return text
