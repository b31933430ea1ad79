"""Who a server is, where `mcpgen.toml` says so and not its document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.version import InvalidVersion, Version

from .tool_tables import SettingProblem

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_EMAIL = rf"{_ATOM}(?:\.{_ATOM})*@[\w-]+(?:\.[\w-]+)*"
"""RFC 5322 3.4.1, without quotes and brackets; packaging tools take no other."""
_AUTHOR = re.compile(rf"(?P<name>[^<>\x00-\x1f]*[^<>\s])?\s*(?:<(?P<email>{_EMAIL})>)?")
_WEB = re.compile(r"https?://[^\s/?#]+[^\s]*")
_ICON = re.compile(r"https://[^\s/?#]+[^\s]*|data:image/[^\s]+")


def check(key: str, value: Any) -> None:
    """Raise SettingProblem for a value that would break the server or its `pyproject.toml`."""
    if key in _CHECKS and value:
        _CHECKS[key](value)


def _check_version(value: str) -> None:
    try:
        Version(value if value == value.strip() else "")
    except InvalidVersion:
        hint = "Such as 1.2.0, as PEP 440 has it."
        raise SettingProblem("settings-value", "`version` is no version", hint) from None


def _check_license(value: str) -> None:
    try:
        canonicalize_license_expression(value)
    except InvalidLicenseExpression:
        hint = "Such as MIT, Apache-2.0 or LicenseRef-Proprietary."
        message = "`license` is no SPDX license expression"
        raise SettingProblem("settings-value", message, hint) from None


def _check_authors(value: tuple[str, ...]) -> None:
    if not all(each.strip() and _AUTHOR.fullmatch(each.strip()) for each in value):
        hint = "Such as `Ann Example <ann@example.com>`."
        raise SettingProblem("settings-value", "`authors` must be names, with addresses", hint)


def _check_website(value: str) -> None:
    if not _WEB.fullmatch(value):
        raise SettingProblem("settings-value", "`website` must be an http or https URL")


def _check_icons(value: tuple[str, ...]) -> None:
    if not all(map(_ICON.fullmatch, value)):
        message = "`icons` must be https URLs, or `data:image/...`"
        raise SettingProblem("settings-value", message)


_CHECKS: Mapping[str, Callable[[Any], None]] = {
    "version": _check_version,
    "license": _check_license,
    "authors": _check_authors,
    "website": _check_website,
    "icons": _check_icons,
}


def authors(listed: tuple[str, ...]) -> list[dict[str, str]]:
    """The authors as `pyproject.toml` has them: `name`, `email`, or both."""
    matches = filter(None, (_AUTHOR.fullmatch(each.strip()) for each in listed))
    return [{key: text for key, text in each.groupdict().items() if text} for each in matches]
