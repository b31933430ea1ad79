"""Reads what describes the API as a whole: `info`, `externalDocs` and `x-logo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...api import Icon
from . import fields
from .extensions import is_web_url, read_extension, read_icons
from .html_text import as_markdown
from .text import clean

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .reading import Reading


class Info(Struct, frozen=True):
    """The part of an Api that describes it as a whole."""

    title: str
    name: str
    version: str
    description: str
    website_url: str
    icons: tuple[Icon, ...]


def read_info(reading: Reading) -> Info:
    """Read what a document says about itself; every part of it may be missing."""
    root, diagnostics = reading.document.root, reading.diagnostics
    extension = read_extension(dict(root.items()), diagnostics)
    info = fields.object_at(root, "info", diagnostics) or root.optional("info")
    title = extension.title or fields.string(info, "title", diagnostics)
    description = extension.description or fields.string(info, "description", diagnostics)
    at = fields.member(info, "description") or info
    return Info(
        title=_line(title, fields.member(info, "title") or info, 200, diagnostics) or "API",
        name=extension.name,
        version=_version(info, diagnostics),
        description=reading.clean(as_markdown(description), at),
        website_url=_website(root, info),
        icons=extension.icons or _logo(info),
    )


def _version(info: Node, diagnostics: Diagnostics) -> str:
    node = info.optional("version")
    return _line(fields.text(node) or "", node, 100, diagnostics) or "0"


def _line(text: str, at: Node, limit: int, diagnostics: Diagnostics) -> str:
    return " ".join(clean(text, at, limit, diagnostics).split())


def _website(root: Node, info: Node) -> str:
    for holder, key in ((root, "externalDocs"), (info, "contact")):
        found = fields.member(holder, key)
        url = "" if found is None else fields.string(found, "url")
        if is_web_url(url):
            return url
    return ""


def _logo(info: Node) -> tuple[Icon, ...]:
    logo = fields.member(info, "x-logo")
    return () if logo is None else read_icons(logo.value)
