"""Which version of OpenAPI a document is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...diagnostics import GenerationError
from . import fields
from .reading import Version

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_SUPPORTED = "mcpgen reads OpenAPI 2.0 (Swagger), 3.0, 3.1 and 3.2"
_VERSION = re.compile(r"(\d+)(?:\.(\d+))?(?:\.\d+)?(?:-[0-9A-Za-z.-]+)?")
_FEATURES = re.compile(r"(\d+)\.(\d+)\.")
"""What a version says of a document; the rest is no concern of tools (3.1.1, "Versions")."""
_KNOWN = {"2.0": Version.V20, "3.0": Version.V30, "3.1": Version.V31, "3.2": Version.V32}
_RELATIVES = {
    "asyncapi": "an AsyncAPI document",
    "arazzo": "an Arazzo document",
    "swaggerVersion": "a Swagger 1 document",
    "raml": "a RAML document",
    "$schema": "a JSON Schema",
}


def read_version(root: Node, diagnostics: Diagnostics) -> Version:
    """The document's version; an unknown one is reported, and one near it or the newest assumed.

    Raises GenerationError for what is no OpenAPI document at all.
    """
    if not isinstance(root.value, dict):
        found = fields.kind_of(root.value)
        raise GenerationError.of(
            "not-openapi", f"an OpenAPI document is an object, found {found}", root, _SUPPORTED
        )
    node = fields.member(root, "openapi") or fields.member(root, "swagger")
    if node is None:
        what = next((w for k, w in _RELATIVES.items() if k in root.value), "no OpenAPI document")
        message = f"this is {what}: it has neither `openapi` nor `swagger`"
        raise GenerationError.of("not-openapi", message, root, _SUPPORTED)
    return _version(node, diagnostics)


def _version(node: Node, diagnostics: Diagnostics) -> Version:
    value = node.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        diagnostics.warning("version", f'the version must be a string: "{value}"', node)
        value = str(value)
    text = value.strip() if isinstance(value, str) else ""
    match = _VERSION.fullmatch(text) or _FEATURES.match(text)
    known = _KNOWN.get(f"{match[1]}.{match[2] or 0}") if match else None
    is_swagger = node.pointer == "/swagger"
    if known is None or (known is Version.V20) is not is_swagger:
        diagnostics.error("version", f"unknown version {value!r}", node, _SUPPORTED)
        return known or Version.V32
    if match is not None and match.re is _FEATURES:
        message = f"{value!r} is no version; it is read as {match[1]}.{match[2]}"
        diagnostics.warning("version", message, node)
    return known
