"""The distribution `mcpgen-runtime` as pip would install it, for servers that depend on it."""

import atexit
import tempfile
import zipfile
from functools import cache
from io import BytesIO

from mcpgen.bundled import runtime_wheel


@cache
def folder() -> str:
    """A folder for `PYTHONPATH` that holds the package and its metadata."""
    place = tempfile.TemporaryDirectory(prefix="runtime-")
    atexit.register(place.cleanup)
    with zipfile.ZipFile(BytesIO(runtime_wheel.wheel())) as archive:
        archive.extractall(place.name)
    return place.name
