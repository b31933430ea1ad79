"""Reads `server`: the identity of the server, and the address of the API for HTTP tools."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ...api import Api, Icon, SecurityRequirement, SecurityScheme, Server
from ...diagnostics import Diagnostics, Severity
from ..openapi import security, servers
from ..openapi.versions import Version

if TYPE_CHECKING:
    from ...source.document import Node
    from .structure import ToolFile


T = TypeVar("T")
_VERSION = "0.1.0"
"""The version of a server whose file gives none."""
_NO_ERRORS = ("security-url", "security-challenge")
"""Problems that are only warnings in a tool file too."""


class Home(Struct, frozen=True):
    """The API's address and security, for the HTTP tools of a file."""

    servers: tuple[Server, ...] = ()
    schemes: tuple[SecurityScheme, ...] = ()
    security: tuple[SecurityRequirement, ...] = ()
    key_places: Container[tuple[str, str]] = frozenset()

    def requirements(
        self, node: Node | None, diagnostics: Diagnostics
    ) -> tuple[SecurityRequirement, ...] | None:
        """The alternatives of a `security` array; None if there is no array."""
        if node is None:
            return None
        return _strictly(
            diagnostics,
            lambda d: security.read_requirements(node, self.schemes, d),
        )

    def servers_at(self, node: Node | None, diagnostics: Diagnostics) -> tuple[Server, ...]:
        """The servers in an array of Server Objects."""
        return _strictly(diagnostics, lambda d: servers.servers_of(node, "", d))


def read_frame(file: ToolFile, diagnostics: Diagnostics) -> tuple[Api, Home]:
    """The Api without tools, resources and prompts, and its address and security (`Home`).

    If the file has no `server`, the Api is named after the file.
    """
    place = file.root.document.files[file.root.file].home
    stem = place.stem if isinstance(place, Path) else PurePath(urlsplit(place or "").path).stem
    node = file.root.get("server")
    if node is None or not isinstance(node.value, dict):
        return Api(stem or "tools", _VERSION), Home()

    def text(key: str) -> str:
        value = node.value.get(key)
        return value if isinstance(value, str) else ""

    version, home = node.get("version"), _home(node, diagnostics)
    api = Api(
        title=text("title") or text("name") or stem or "tools",
        name=text("name"),
        version=_VERSION if version is None else _written(version),
        description=text("description"),
        instructions=text("instructions"),
        website_url=text("websiteUrl"),
        icons=tuple(_icon(icon) for icon in node.value.get("icons", ())),
        list_changed=node.value.get("listChanged") is True,
        servers=home.servers,
        security_schemes=home.schemes,
        security=home.security,
    )
    return api, home


def _written(node: Node) -> str:
    return node.value if isinstance(node.value, str) else node.written


def _icon(value: dict[str, Any]) -> Icon:
    sizes = tuple(value.get("sizes") or ())
    return Icon(value.get("src", ""), value.get("mimeType"), sizes, value.get("theme"))


def _home(node: Node, diagnostics: Diagnostics) -> Home:
    declared = Home().servers_at(node.get("servers"), diagnostics)
    base = node.get("baseUrl")
    if base is not None and declared:
        message = "`baseUrl` and `servers` both say where the API is"
        diagnostics.error("server", message, base, "Keep one of them.")
    elif base is not None:
        declared = _base(base, diagnostics)
    start = servers.start_of(declared)
    schemes = _strictly(
        diagnostics, lambda d: security.schemes_at(node, "securitySchemes", Version.V31, start, d)
    )
    home = Home(declared, schemes, key_places=security.key_places(schemes))
    return replace(home, security=home.requirements(node.get("security"), diagnostics) or ())


def _base(node: Node, diagnostics: Diagnostics) -> tuple[Server, ...]:
    url: str = node.value.strip()
    problem = servers.problem_of(url)
    if not problem and not url.lower().startswith(("http://", "https://")):
        problem = "it must begin with `http://` or `https://`"
    if problem:
        hint = "As in `https://api.example.com/v1`; `servers` is for URLs with `{variables}`."
        diagnostics.error("server", f"this base URL cannot be used: {problem}", node, hint)
        return ()
    return (Server(url),)


def _strictly(diagnostics: Diagnostics, read: Callable[[Diagnostics], T]) -> T:
    """Call a function that reads OpenAPI; most of its warnings are errors in a tool file."""
    own_diagnostics = Diagnostics()
    result = read(own_diagnostics)
    for item in own_diagnostics.items:
        warned = item.severity is Severity.WARNING and item.code not in _NO_ERRORS
        diagnostics.add(replace(item, severity=Severity.ERROR) if warned else item)
    return result
