"""A server's entry in the MCP registry (`server.json`, schema of 2025-12-11), and its card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ..api import Api
from ..diagnostics import Diagnostics
from ..package import Package, Variable
from ..runtime.parts import cards
from ..settings.settings import MAX_DESCRIPTION
from ..text import literals

FILE_NAME = "server.json"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_ICON_TYPES = ("image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp")
_MAX_URL_LENGTH = _LONGEST_VERSION = 255


def server_json(
    package: Package, api: Api, published: Mapping[str, Any], diagnostics: Diagnostics
) -> str:
    """The text of `server.json`; a description that is too long is cut, with a warning."""
    shared = _shared(package, api, published, diagnostics)
    served = {"packages": _packages(package, published), "remotes": _remotes(published)}
    entry = {"$schema": SCHEMA, **shared, **served}
    return literals.json_text({key: value for key, value in entry.items() if value})


def card_json(package: Package, api: Api, published: Mapping[str, Any]) -> str:
    """The text of the server card; its version is the version that the server reports over MCP."""
    own = {
        "version": api.version[:_LONGEST_VERSION] or package.version,
        "remotes": _remotes(published),
    }
    card = {"$schema": cards.SCHEMA, **_shared(package, api, published, None), **own}
    return literals.json_text({key: value for key, value in card.items() if value})


def _shared(
    package: Package, api: Api, published: Mapping[str, Any], diagnostics: Diagnostics | None
) -> dict[str, Any]:
    """The members that the registry entry and the server card have in common."""
    return {
        "name": published["registry_name"],
        "title": literals.sentence(package.title, MAX_DESCRIPTION),
        "description": description(package, api, published, diagnostics),
        "version": package.version,
        "websiteUrl": api.website_url if api.website_url.startswith("https://") else "",
        "repository": _repository(published.get("repository", "")),
        "icons": _icons(api),
    }


def _remotes(published: Mapping[str, Any]) -> list[dict[str, str]]:
    return [{"type": "streamable-http", "url": url} for url in published.get("remotes", [])]


def description(
    package: Package, api: Api, published: Mapping[str, Any], diagnostics: Diagnostics | None = None
) -> str:
    """The server's description, shortened to the registry's limit."""
    if text := published.get("description"):
        return str(text)
    whole = (
        literals.paragraph(api.description, 10 * MAX_DESCRIPTION)
        or f"MCP server for {package.title}"
    )
    cut = literals.sentence(whole, MAX_DESCRIPTION)
    if cut.endswith("…") and diagnostics is not None:
        message = (
            f"the description was cut to {MAX_DESCRIPTION} characters for the MCP registry: {cut}"
        )
        hint = "Write one of your own into mcpgen.toml: `description` in `[publish]`."
        diagnostics.note("publish-description", message, hint=hint)
    return cut


def environment_variables(package: Package) -> list[dict[str, Any]]:
    """The required variables and the credentials (schema: KeyValueInput); DEPLOY.md lists the
    others.
    """
    return [_input(variable) for variable in package.variables if variable.is_listed]


def _input(variable: Variable) -> dict[str, Any]:
    entry = {
        "name": variable.name,
        "description": variable.description,
        "isRequired": variable.required,
        "isSecret": variable.secret,
        "format": variable.format,
        "default": variable.default,
        "choices": list(variable.choices),
    }
    return {key: value for key, value in entry.items() if value}


def _packages(package: Package, published: Mapping[str, Any]) -> list[dict[str, Any]]:
    variables = environment_variables(package)
    shared = {"transport": {"type": "stdio"}, "environmentVariables": variables}
    packages: list[dict[str, Any]] = []
    if published.get("pypi", True):
        own = {"registryType": "pypi", "identifier": package.distribution}
        packages.append({**own, "version": package.version, "runtimeHint": "uvx", **shared})
    if image := published.get("image"):
        own = {"registryType": "oci", "identifier": f"{image}:{package.version}"}
        packages.append({**own, "runtimeHint": "docker", **shared})
    return packages


def _repository(url: str) -> dict[str, str]:
    host = urlsplit(url).hostname or ""
    return {"url": url, "source": host.removesuffix(".com").removesuffix(".org")} if url else {}


def _icons(api: Api) -> list[dict[str, Any]]:
    icons = (icon for icon in api.icons if icon.src.startswith("https://"))
    return [
        {
            "src": icon.src,
            **({"mimeType": icon.mime_type} if icon.mime_type in _ICON_TYPES else {}),
            **({"sizes": list(icon.sizes)} if icon.sizes else {}),
            **({"theme": icon.theme} if icon.theme in ("light", "dark") else {}),
        }
        for icon in icons
        if len(icon.src) <= _MAX_URL_LENGTH
    ]
