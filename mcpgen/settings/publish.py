"""The table `[publish]` of a `mcpgen.toml`: where and as what a server is published."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .tool_tables import SettingProblem, check_keys, check_table

MOST = 100
"""Characters of a description in the MCP registry."""
PUBLISH_KEYS: Mapping[str, tuple[type, str]] = {
    "registry_name": (str, "Its name in the MCP registry, such as io.github.acme/shop."),
    "description": (str, f"What it is, in at most {MOST} characters; empty: the document's words."),
    "author": (str, "Who makes it, for bundles; empty: its title."),
    "repository": (str, "The https URL of its source code."),
    "pypi": (bool, "false: it is not on PyPI."),
    "image": (str, "Its container image without a tag, such as ghcr.io/acme/shop."),
    "remotes": (list, "The https URLs at which it is served."),
}
_NAME = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")
_IMAGE = re.compile(r"[a-z0-9.-]+\.[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+")
_URL = re.compile(r"https://[^\s{}\"<>]+")


def check(table: Any) -> dict[str, Any]:
    """The table as it is, if it is right; raises SettingProblem."""
    entries = check_table("publish", table)
    check_keys("publish", entries, PUBLISH_KEYS)
    name = entries.get("registry_name")
    if name is not None and not (_NAME.fullmatch(name) and len(name) <= 200):
        hint = "A domain of yours backwards, a slash and a name: `io.github.acme/shop`."
        raise SettingProblem("settings-value", "`publish.registry_name` is no name there", hint)
    if len(entries.get("description", "")) > MOST:
        message = f"`publish.description` has more than {MOST} characters"
        raise SettingProblem("settings-value", message, "The MCP registry takes no more.")
    if "image" in entries and not _IMAGE.fullmatch(entries["image"]):
        hint = "A host and a path, without a tag: `ghcr.io/acme/shop`."
        raise SettingProblem("settings-value", "`publish.image` is no image", hint)
    _check_urls("repository", [entries[key] for key in ("repository",) if key in entries])
    _check_urls("remotes", entries.get("remotes", []))
    return dict(entries)


def _check_urls(key: str, urls: list[Any]) -> None:
    if not all(isinstance(url, str) and _URL.fullmatch(url) for url in urls):
        raise SettingProblem("settings-value", f"`publish.{key}` takes https URLs alone")
