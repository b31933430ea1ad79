"""Reads the document's description of the API: `info`, `externalDocs` and `x-logo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api import Api, Icon
from . import fields
from .agent_text import clean
from .extensions import is_web_url, read_extension, read_icons
from .html_text import as_markdown

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .reader_state import Reading


def read_frame(reading: Reading) -> Api:
    """The Api without its tools and schemas; every text in the document is optional."""
    root, diagnostics = reading.document.root, reading.diagnostics
    extension = read_extension(dict(root.items()), diagnostics)
    info = fields.object_at(root, "info", diagnostics) or root.optional("info")
    title = extension.title or fields.string(info, "title", diagnostics)
    about = extension.description or fields.string(info, "description", diagnostics)
    title = _line(title, fields.member(info, "title") or info, 200, diagnostics)
    version = _version(info, diagnostics)
    about = reading.clean(as_markdown(about), fields.member(info, "description") or info)
    return Api(
        title=title or "API",
        name=extension.name,
        version=version,
        description=about,
        instructions=about,
        website_url=_website(root, info),
        icons=extension.icons or _logo(info),
        servers=reading.servers,
        security_schemes=reading.schemes,
        security=reading.security or (),
    )


def _version(info: Node, diagnostics: Diagnostics) -> str:
    node = info.optional("version")
    return _line(fields.text(node) or "", node, 100, diagnostics) or "0"


def _line(text: str, at: Node, limit: int, diagnostics: Diagnostics) -> str:
    return " ".join(clean(text, at, limit, diagnostics).split())


def _website(root: Node, info: Node) -> str:
    for holder, key in ((root, "externalDocs"), (info, "contact")):
        website = fields.member(holder, key)
        url = "" if website is None else fields.string(website, "url")
        if is_web_url(url):
            return url
    return ""


def _logo(info: Node) -> tuple[Icon, ...]:
    logo = fields.member(info, "x-logo")
    return () if logo is None else read_icons(logo.value)
