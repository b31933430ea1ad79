"""A server as one file for Claude Desktop: an MCPB bundle."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ..api import Api
from ..bundled import runtime_wheel
from ..diagnostics import Failure
from ..package import Package
from ..paths import in_order
from ..settings import Settings
from ..text import literals
from .bundle_manifest import manifest

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that a ZIP file can hold: the same server gives the same bytes."""
_PROJECT = "pyproject.toml"
_OTHERS = (_PROJECT, "README.md", "LICENSE")
_SOURCES = "[tool.uv.sources]"


class BundleError(Failure):
    """A server of which no bundle can be made; the message says why and what to do."""


def bundle(folder: Path, package: Package, api: Api, settings: Settings) -> bytes:
    """The bytes of the bundle of the server in `folder`, the same each time.

    It holds the server's package as it is there, with its edits, and in package mode the wheel of
    the runtime. Raises BundleError.
    """
    files = dict(_files(folder, package))
    if package.runtime:
        name, data = _wheel(folder, package)
        path = f"wheels/{name}"
        files[path] = data
        files[_PROJECT] = _with_source(files[_PROJECT].decode(), path).encode()
    tools = literals.parsed(files[f"{package.name}/tools.json"])["tools"]
    fields = manifest(package, api, settings.publish, tools)
    files["manifest.json"] = literals.json_text(fields).encode()
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[path], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _files(folder: Path, package: Package) -> Iterator[tuple[str, bytes]]:
    """The files that the server needs to run, by path."""
    for name in _OTHERS:
        if (folder / name).is_file():
            yield name, (folder / name).read_bytes()
    for path in in_order((folder / package.name).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _wheel(folder: Path, package: Package) -> tuple[str, bytes]:
    """The wheel of the runtime: that in the server's folder `wheels`, or mcpgen's own."""
    for path in sorted((folder / "wheels").glob("mcpgen_runtime-*.whl"), reverse=True):
        return path.name, path.read_bytes()
    if package.runtime == runtime_wheel.requirement() and package.runtime in _asked(folder):
        return runtime_wheel.FILE_NAME, runtime_wheel.wheel()
    raise BundleError(
        f"{folder} asks for another mcpgen-runtime than this mcpgen has ({package.runtime}). Put "
        f"its wheel into {folder / 'wheels'}, or run `mcpgen update {folder}`"
    )


def _asked(folder: Path) -> list[str]:
    dependencies: list[str] = _project(folder).get("dependencies", [])
    return dependencies


def _project(folder: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads((folder / _PROJECT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BundleError(f"{folder / _PROJECT} cannot be read: {error}") from None
    project: dict[str, Any] = data.get("project", {})
    return project


def _with_source(text: str, wheel: str) -> str:
    """The text of a `pyproject.toml` by which uv takes the runtime from a wheel beside it."""
    line = f"mcpgen-runtime = {{ path = {json.dumps(wheel)} }}\n"
    if _SOURCES not in text:
        return f"{text.rstrip()}\n\n{_SOURCES}\n{line}"
    head, _, rest = text.partition(_SOURCES)
    lines = (each for each in rest.splitlines(keepends=True) if "mcpgen-runtime" not in each)
    return f"{head}{_SOURCES}\n{line}{''.join(lines).lstrip()}"
