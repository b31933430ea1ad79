"""A server as one file for Claude Desktop: an MCPB bundle."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from ..api import Api
from ..bundled import runtime_wheel
from ..diagnostics import Failure
from ..package import Package
from ..runtime.parts.skills.files import files_below
from ..settings import Settings
from ..text import literals
from . import bundle_files
from .bundle_files import WHEELS
from .bundle_manifest import manifest

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that a ZIP file can hold: the same server gives the same bytes."""
_PROJECT = "pyproject.toml"
_SOURCES = "[tool.uv.sources]"


class BundleError(Failure):
    """A server that cannot be bundled; the message gives the reason and the remedy."""


def bundle(
    folder: Path,
    package: Package,
    api: Api,
    settings: Settings,
    changed: Mapping[str, bytes | None],
) -> bytes:
    """The bytes of the bundle of the server in `folder`, the same in every run.

    It contains the server's package with people's edits, and in package mode the wheel of the
    runtime. Files in `changed` replace those in the folder; None leaves a file out. Raises
    BundleError.
    """
    merged = {**dict(_files(folder, package)), **changed}
    files = {path: data for path, data in merged.items() if data is not None}
    for name in (_PROJECT, f"{package.name}/tools.json"):
        if name not in files:
            raise BundleError(f"{folder / name} is a link: put the file itself in its place")
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
    for path, is_taken in bundle_files.candidates(folder, package.name):
        if is_taken:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _wheel(folder: Path, package: Package) -> tuple[str, bytes]:
    """The wheel of the runtime, from the server's folder `wheels` or else mcpgen's own.

    Raises BundleError if the server does not accept the version of the wheel.
    """
    asked = _asked(folder, package.runtime)
    wheels = [
        path
        for path, is_taken in files_below(folder / WHEELS)
        if is_taken and path.match(f"{WHEELS}/{runtime_wheel.IMPORT_NAME}-*.whl")
    ]
    if len(wheels) > 1:
        names = ", ".join(path.name for path in wheels)
        raise BundleError(f"{folder / WHEELS} has more than one runtime: keep one of {names}")
    for path in wheels:
        if not _fits(path.name, asked):
            raise BundleError(
                f"{path} is not the runtime that the server needs: mcpgen-runtime{asked}"
            )
        return path.name, path.read_bytes()
    if _fits(runtime_wheel.FILE_NAME, asked):
        return runtime_wheel.FILE_NAME, runtime_wheel.wheel()
    raise BundleError(
        f"{folder} needs mcpgen-runtime{asked}, which this mcpgen does not have. Put that wheel "
        f"into {folder / WHEELS}, or run `mcpgen update {folder}`"
    )


def _asked(folder: Path, default: str) -> SpecifierSet:
    """The versions of the runtime that the server accepts."""
    try:
        asked = map(Requirement, _project(folder).get("dependencies", []))
        name = Requirement(default).name
        return next((each for each in asked if each.name == name), Requirement(default)).specifier
    except InvalidRequirement as error:
        raise BundleError(f"{folder / _PROJECT} has an invalid dependency: {error}") from None


def _fits(wheel: str, asked: SpecifierSet) -> bool:
    """Whether the version in a wheel's file name is accepted."""
    try:
        return asked.contains(parse_wheel_filename(wheel)[1], prereleases=True)
    except InvalidWheelFilename:
        return False


def _project(folder: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads((folder / _PROJECT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BundleError(f"{folder / _PROJECT} cannot be read: {error}") from None
    project: dict[str, Any] = data.get("project", {})
    return project


def _with_source(text: str, wheel: str) -> str:
    """The text of a `pyproject.toml` that makes uv install the runtime from the bundled wheel."""
    line = f"mcpgen-runtime = {{ path = {json.dumps(wheel)} }}\n"
    if _SOURCES not in text:
        return f"{text.rstrip()}\n\n{_SOURCES}\n{line}"
    head, _, rest = text.partition(_SOURCES)
    lines = (each for each in rest.splitlines(keepends=True) if "mcpgen-runtime" not in each)
    return f"{head}{_SOURCES}\n{line}{''.join(lines).lstrip()}"
