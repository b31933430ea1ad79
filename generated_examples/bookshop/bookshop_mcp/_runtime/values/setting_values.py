"""What the texts of settings mean, and what each of them must be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import Field
from typing import Any
from urllib.parse import urlsplit

from .headers import is_token, is_value
from .url_checks import check_base_url, is_host, is_secure

_FRAMING = ("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade")
_SCOPE = re.compile(r"[!#-\[\]-~]+")

RESULT_TEXTS = ("full", "summary")
SURFACES = ("tools", "search")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise ValueError("must be a number of seconds above 0 and below 1e9")
    return value


def _whole(text: str, least: int = 1) -> int:
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15 and int(digits) >= least):
        raise ValueError(f"must be a whole number of at most 15 digits, {least} or more")
    return int(digits)


_HEADERS = 'must be lines `Name: value` or a JSON object such as {"X-Tenant": "a"}'
_CALLERS = "must name a header for each scheme, such as `oauth: X-Api-Token`"


def _headers(text: str, shape: str = _HEADERS) -> tuple[tuple[str, str], ...]:
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


def _caller_auth(text: str) -> tuple[tuple[str, str], ...]:
    found = () if text.lower() == "none" else _headers(text, _CALLERS)
    for _, header in found:
        if not is_token(header) or header.lower() in _FRAMING:
            raise ValueError(_CALLERS)
    return found


_HOST = r"([^\s/@?#*:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]+)?|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*"
"""A name or an address, and perhaps a port; an IPv6 address without one may lack its brackets."""


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _hosts(text: str) -> tuple[str, ...]:
    hosts = _listed(text.lower())
    if not all(re.fullmatch(_HOST, host) for host in hosts):
        raise ValueError("must be host names separated by commas, such as files.example.com")
    bare = (host.count(":") > 1 and not host.startswith("[") for host in hosts)
    return tuple(f"[{host}]" if each else host for host, each in zip(hosts, bare, strict=True))


def _secrets(text: str) -> tuple[str, ...]:
    secrets = _listed(text)
    if not secrets or any(len(secret) < 32 for secret in secrets):
        raise ValueError("must be texts of at least 32 characters, separated by commas")
    return tuple(dict.fromkeys(secrets))


def _origins(text: str) -> tuple[str, ...]:
    return tuple(map(_origin, _listed(text.lower())))


def _origin(text: str) -> str:
    """An origin as browsers send it: without the port that its scheme has by default."""
    text = text.rstrip("/")
    try:
        parts = urlsplit(text)
        default = {"http": 80, "https": 443}.get(parts.scheme)
        is_good = parts.port != 0 and text == f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        default, is_good = None, False
    if default is None or not is_good:
        raise ValueError("must be origins separated by commas, such as https://app.example.com")
    return text.removesuffix(f":{default}")


def _flag(text: str) -> bool:
    flags = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in flags:
        raise ValueError("must be true or false")
    return flags[text.lower()]


def _secret_url(text: str) -> str:
    if not is_secure(text):
        raise ValueError("must be an https URL such as https://login.example.com/token")
    return text


def is_scope(text: str) -> bool:
    """Whether a text is a scope (RFC 6749 3.3), so that a token can have it."""
    return _SCOPE.fullmatch(text) is not None


def _scopes(text: str) -> tuple[str, ...]:
    found = tuple(text.split())
    if not all(map(is_scope, found)):
        raise ValueError('must be scopes: ASCII without `"` and `\\`, separated by blanks')
    return found


def _implied(text: str) -> tuple[tuple[str, str], ...]:
    lines = [line.partition(": ") for line in text.splitlines() if line.strip()]
    if not all(broader.strip() and narrower.strip() for broader, _, narrower in lines):
        raise ValueError("must be lines such as `pets:admin: pets:read pets:write`")
    return tuple((line[0].strip(), narrower) for line in lines for narrower in line[2].split())


def _by_tool(text: str) -> tuple[tuple[str, int], ...]:
    lines = [part.rpartition(":") for part in text.split(",")]
    try:
        found = tuple((name.strip(), _whole(count.strip())) for name, _, count in lines)
    except ValueError:
        found = (("", 0),)
    if not all(name for name, _ in found):
        raise ValueError("must be tools and whole numbers above 0, such as `search: 30, *: 60`")
    return found


def _token(text: str) -> str:
    if len(text) < 16 or not all("!" <= char <= "~" for char in text):
        raise ValueError("must be at least 16 characters of ASCII without blanks")
    return text


def _level(text: str) -> str:
    if text.upper() not in LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}")
    return text.upper()


def _surface(text: str) -> str:
    if text not in SURFACES:
        raise ValueError(f"must be one of {', '.join(SURFACES)}")
    return text


def _result_text(text: str) -> str:
    if text not in RESULT_TEXTS:
        raise ValueError(f"must be one of {', '.join(RESULT_TEXTS)}")
    return text


def _proxy(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_good = (parts.port is None or 0 < parts.port < 65536) and is_host(parts.hostname or "")
    except ValueError:
        parts, is_good = urlsplit(""), False
    known = parts.scheme in ("http", "https", "socks5", "socks5h")
    if not (is_good and known) or any(map(str.isspace, text)) or not text.isprintable():
        raise ValueError("must be a proxy URL such as http://proxy.example.com:3128")
    return text


_BY_TYPE: dict[Any, Callable[[str], Any]] = {
    "bool": _flag,
    "float": _seconds,
    "int": _whole,
    "int | None": _whole,
    "str | None": str,
}
_BY_NAME: dict[str, Callable[[str], Any]] = {
    "base_url": check_base_url,
    "retries": lambda text: _whole(text, 0),
    "extra_headers": _headers,
    "allow_hosts": _hosts,
    "proxy": _proxy,
    "log_level": _level,
    "surface": _surface,
    "result_text": _result_text,
    "state_keys": _secrets,
    "caller_auth": _caller_auth,
    "caller_exchange": _caller_auth,
    "exchange_token_url": _secret_url,
    "public_hosts": _hosts,
    "allow_origins": _origins,
    "http_token": _token,
    "http_issuer": _secret_url,
    "http_resource": _secret_url,
    "http_jwks_url": _secret_url,
    "http_scopes": _scopes,
    "http_implied_scopes": _implied,
    "calls_per_minute_by_tool": _by_tool,
}
"""Settings for which not every value of their type will do."""


def read(setting: Field[Any], text: str) -> Any:
    """The value of a setting; raises ValueError saying what it must be, and never the text."""
    return (_BY_NAME.get(setting.name) or _BY_TYPE[setting.type])(text)
