"""Running the tests of a generated server."""

import os
import subprocess
from pathlib import Path

import runtime_package
from prepared import python

PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "anyio.pytest_plugin"}
"""Where a server alone is installed, pytest finds none but that of anyio."""


def run(folder: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """What pytest says of them."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        python("-m", "pytest", "-q", "-p", "no:cacheprovider", *options),
        cwd=folder,
        env={**own, **PLUGINS, "PYTHONPATH": runtime_package.folder(), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
