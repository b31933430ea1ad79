"""The extensions for MCP: `x-mcp` and the similar ones of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from ...api import HINTS, Icon
from ...text.nearest import nearest

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_SHORT = {hint: hint.removesuffix("Hint") for hint in HINTS}
_KEYS = (
    *("enabled", "disabled", "name", "title", "description", "annotations", "icons", "keywords"),
)
_MIN_LIKENESS = 0.75
"""The likeness of a misspelled key: other tools may have their own keys in `x-mcp`."""


class Extension(Struct, frozen=True):
    """The MCP extension of a document, path item or operation; without one, no value is set."""

    enabled: bool | None = None
    name: str = ""
    title: str = ""
    description: str = ""
    hints: Mapping[str, bool] = field(default_factory=dict)
    icons: tuple[Icon, ...] = ()
    keywords: tuple[str, ...] = ()
    node: Node | None = None


def read_extension(fields: Mapping[str, Node], diagnostics: Diagnostics) -> Extension:
    """Read the extensions among an object's fields; `x-mcp` takes precedence over the others."""
    extension = Extension()
    for key in ("x-mcp-annotations", "x-gram", "x-speakeasy-mcp", "x-mcp"):
        node = fields.get(key)
        if node is None or node.value is None:
            continue
        if isinstance(node.value, bool) and key != "x-mcp-annotations":
            extension = _over(extension, Extension(enabled=node.value, node=node))
        elif isinstance(node.value, dict):
            if node.is_ref:
                message = f"`{key}` cannot be a reference: the target of its `$ref` is not used"
                diagnostics.warning("extension", message, node, "Write its members in place.")
            extension = _over(extension, _read(key, node, diagnostics))
        else:
            diagnostics.warning("extension", f"`{key}` must be an object; it is not used", node)
    return extension


def inherit(outer: Extension, inner: Extension) -> Extension:
    """The extension of an operation, completed with values of its path item or document."""
    return _over(Extension(enabled=outer.enabled, hints=outer.hints, node=outer.node), inner)


def read_icons(value: Any) -> tuple[Icon, ...]:
    """The icons with a usable source: an `http(s):` URL, or an image in a `data:` URI."""
    icons = []
    for entry in value if isinstance(value, list) else [value]:
        members = entry if isinstance(entry, dict) else {"src": entry}
        source = members.get("src", members.get("url"))
        if not isinstance(source, str) or not is_icon_source(source):
            continue
        sizes, theme = members.get("sizes"), members.get("theme")
        listed = sizes if isinstance(sizes, list) else ()
        icon = Icon(
            src=source,
            mime_type=_text(members, "mimeType") or None,
            sizes=tuple(size for size in listed if isinstance(size, str)),
            theme=theme if theme in ("light", "dark") else None,
        )
        icons.append(icon)
    return tuple(icons)


def is_icon_source(source: str) -> bool:
    """Whether MCP lets clients load an icon from this URL."""
    if source.startswith("data:image/"):
        return source.isascii() and source.isprintable()
    return is_web_url(source)


def is_web_url(url: str) -> bool:
    """Whether a string is an absolute `http` or `https` URL with a host and no credentials."""
    try:
        parts = urlsplit(url)
        names_host = bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False
    is_safe = url.isascii() and url.isprintable()
    return is_safe and names_host and parts.scheme in ("http", "https")


def _read(key: str, node: Node, diagnostics: Diagnostics) -> Extension:
    value: dict[str, Any] = node.value
    annotations = value if key == "x-mcp-annotations" else value.get("annotations")
    if key == "x-mcp":
        _tell_misspelt(key, value, _KEYS, node, diagnostics)
        if isinstance(annotations, dict):
            keys = (*_SHORT, *_SHORT.values(), "title")
            _tell_misspelt(f"{key}.annotations", annotations, keys, node, diagnostics)
    hints = _hints(annotations) if isinstance(annotations, dict) else {}
    if key == "x-speakeasy-mcp":
        hints |= _hints(value)
    enabled = value.get("enabled")
    if isinstance(value.get("disabled"), bool):
        enabled = not value["disabled"]
    if enabled is not None and not isinstance(enabled, bool):
        diagnostics.warning("extension", f"`{key}.enabled` must be true or false", node)
        enabled = None
    return Extension(
        enabled=enabled,
        name=_text(value, "name"),
        title=_text(value, "title") or (_text(value, "summary") if key == "x-gram" else ""),
        description=_text(value, "description"),
        hints=hints,
        icons=read_icons(value.get("icons", [])),
        keywords=_words(key, node, diagnostics),
        node=node,
    )


def _tell_misspelt(
    what: str, value: Mapping[str, Any], names: Iterable[str], node: Node, diagnostics: Diagnostics
) -> None:
    words = list(names)
    for key in value:
        if key not in words and (meant := nearest(key, words, _MIN_LIKENESS)):
            message = f"`{what}` has no member `{key}`; it is not used"
            diagnostics.warning("extension", message, node, hint=f"Did you mean `{meant}`?")


def _hints(value: Mapping[str, Any]) -> dict[str, bool]:
    read = {hint: value.get(hint, value.get(short)) for hint, short in _SHORT.items()}
    return {hint: flag for hint, flag in read.items() if isinstance(flag, bool)}


def _words(key: str, node: Node, diagnostics: Diagnostics) -> tuple[str, ...]:
    keywords = node.value.get("keywords", [])
    if isinstance(keywords, list) and all(isinstance(word, str) for word in keywords):
        return tuple(keywords)
    diagnostics.warning("extension", f"`{key}.keywords` must be a list of strings", node)
    return ()


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    return text if isinstance(text, str) else ""


def _over(lower: Extension, upper: Extension) -> Extension:
    return Extension(
        enabled=lower.enabled if upper.enabled is None else upper.enabled,
        name=upper.name or lower.name,
        title=upper.title or lower.title,
        description=upper.description or lower.description,
        hints={**lower.hints, **upper.hints},
        icons=upper.icons or lower.icons,
        keywords=upper.keywords or lower.keywords,
        node=upper.node or lower.node,
    )
