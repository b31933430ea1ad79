"""The distribution `mcpgen-runtime`, which servers in package mode require, and its wheel."""

from __future__ import annotations

import base64
import hashlib
import tomllib
import zipfile
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from .. import __version__
from .contents import RUNTIME, runtime_sources

IMPORT_NAME = "mcpgen_runtime"
FILE_NAME = f"{IMPORT_NAME}-{__version__}-py3-none-any.whl"
INFO = f"{IMPORT_NAME}-{__version__}.dist-info"
_LICENSE = "LICENSE"
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that a ZIP file can hold: the same sources give the same bytes."""
_WHEEL = "Wheel-Version: 1.0\nGenerator: mcpgen\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def series(version: str = __version__) -> str:
    """The series of runtime versions for a server: `0.1` for 0.1.x, and `1` from 1.0 on."""
    major, minor, *_ = version.split(".")
    return f"0.{minor}" if major == "0" else major


def requirement(version: str = __version__) -> str:
    """The requirement on the runtime for a server that this version of mcpgen generates.

    Below 1.0 it excludes the next minor version, which may break compatibility (semver.org, 4).
    """
    major, minor, *_ = version.split(".")
    limit = f"0.{int(minor) + 1}" if major == "0" else str(int(major) + 1)
    return f"mcpgen-runtime>={major}.{minor},<{limit}"


def wheel() -> bytes:
    """The bytes of the wheel (PyPA's binary distribution format), the same in every run."""
    files = {f"{IMPORT_NAME}/{name}": path.read_bytes() for name, path in runtime_sources().items()}
    files[f"{INFO}/METADATA"] = _metadata().encode()
    files[f"{INFO}/WHEEL"] = _WHEEL.encode()
    files[f"{INFO}/licenses/{_LICENSE}"] = (RUNTIME / _LICENSE).read_bytes()
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{INFO}/RECORD"] = "\n".join([*record, f"{INFO}/RECORD,,", ""]).encode()
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _metadata() -> str:
    """The core metadata that `pyproject.toml` gives (PyPA's core metadata, 2.4)."""
    project = tomllib.loads((RUNTIME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {__version__}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"License-File: {_LICENSE}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {each}" for each in project["classifiers"]),
        *(f"Requires-Dist: {each}" for each in project["dependencies"]),
        *_extras(project["optional-dependencies"]),
        f"Description-Content-Type: {project['readme']['content-type']}",
    ]
    return "\n".join([*lines, "", project["readme"]["text"]])


def _extras(extras: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, needed in extras.items():
        lines.append(f"Provides-Extra: {name}")
        lines += [f'Requires-Dist: {each}; extra == "{name}"' for each in needed]
    return lines


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
