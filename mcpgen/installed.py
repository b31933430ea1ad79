"""The installed versions of the packages that generated files depend on."""

from __future__ import annotations

import sys
from functools import cache
from glob import glob

_METADATA = ".dist-info"


@cache
def version(distribution: str) -> str:
    """The version of an installed distribution, from the name of its folder of metadata.

    As in "Recording installed projects" (PyPA). importlib.metadata reads the same, but to load it
    takes ten times as long; it is asked where there is no such folder.
    Raises importlib.metadata.PackageNotFoundError.
    """
    start = f"{distribution.replace('-', '_')}-"
    for folder in sys.path:
        for found in glob(f"{start}[0-9]*{_METADATA}", root_dir=folder or "."):
            return found.removeprefix(start).removesuffix(_METADATA)
    from importlib import metadata

    return metadata.version(distribution)
