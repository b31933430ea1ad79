"""The versions of OpenAPI, and which one a document has."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

from ...diagnostics import GenerationError
from ...text.nearest import nearest
from . import fields

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node


class Version(IntEnum):
    """A version of OpenAPI."""

    V20 = 20
    V30 = 30
    V31 = 31
    V32 = 32

    @property
    def text(self) -> str:
        """The version as documents write it: `3.1`."""
        major, minor = divmod(self, 10)
        return f"{major}.{minor}"


_SUPPORTED = "mcpgen reads OpenAPI 2.0 (Swagger), 3.0, 3.1 and 3.2"
_VERSION = re.compile(r"(\d+)(?:\.(\d+)(?:[.-].*)?)?")
"""The part of a version that matters to tools (3.1.1, "Versions")."""
_MIN_LIKENESS = 0.8
_FULL = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
_KNOWN = {version.text: version for version in Version}
_WRITTEN = dict(zip(Version, ("2.0", "3.0.4", "3.1.0", "3.2.0"), strict=True))
_RELATIVES = {
    "tools": "a tool file",
    "asyncapi": "an AsyncAPI document",
    "arazzo": "an Arazzo document",
    "swaggerVersion": "a Swagger 1 document",
    "raml": "a RAML document",
    "$schema": "a JSON Schema",
}


def read_version(root: Node, diagnostics: Diagnostics) -> Version:
    """The document's version; an incomplete version number is completed, with a warning.

    Raises GenerationError for an unknown version, and for anything but an OpenAPI document.
    """
    node = fields.member(root, "openapi") or fields.member(root, "swagger")
    if node is None:
        what = next(
            (w for k, w in _RELATIVES.items() if k in root.value), "not an OpenAPI document"
        )
        message = f"this is {what}: it has neither `openapi` nor `swagger`"
        hint = "Use `mcpgen from-schema`." if "tools" in root.value else _SUPPORTED
        for key in ("openapi", "swagger"):
            if near := nearest(key, root.value, _MIN_LIKENESS):
                raise GenerationError.of("not-openapi", message, root[near], f"Write `{key}`.")
        raise GenerationError.of("not-openapi", message, root, hint)
    return _version(node, diagnostics)


def tell_other(what: str, other: str, at: Node, version: Version, diagnostics: Diagnostics) -> None:
    """Report a keyword that only another version of OpenAPI has."""
    message = f"`{what}` belongs to OpenAPI {other}, not {version.text}; it is read as in {other}"
    diagnostics.warning("mixed-versions", message, at)


def _version(node: Node, diagnostics: Diagnostics) -> Version:
    value = node.value
    is_number = fields.is_number(value)
    text = str(value).strip() if is_number or isinstance(value, str) else ""
    match = _VERSION.fullmatch(text)
    version = _KNOWN.get(f"{match[1]}.{match[2] or 0}") if match else None
    is_swagger = node.pointer == "/swagger"
    if match is None or version is None or (version is Version.V20) is not is_swagger:
        raise GenerationError.of("version", f"unknown version {value!r}", node, _SUPPORTED)
    if is_number or not (text == _WRITTEN[version] if is_swagger else _FULL.fullmatch(text)):
        why = "a number" if is_number else "not a whole version"
        message = f"the version {value!r} is {why}; it is read as {version.text}"
        diagnostics.warning("version", message, node, f'Write "{_WRITTEN[version]}", in quotes.')
    return version
