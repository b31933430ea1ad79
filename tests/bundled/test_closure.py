"""The runtime of a server is what its own files import."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import FOLDER, SOURCES

from mcpgen import servers
from mcpgen.bundled.closure import closure
from mcpgen.render.files import runtime_files

BY_NAME = {
    *("parts/http/tokens.py", "parts/http/metrics.py"),
    *("parts/asking.py", "parts/branches.py", "parts/dialects.py", "parts/unevaluated.py"),
    *("parts/servers.py", "parts/multipart_answers.py"),
    *("parts/content/__init__.py", "parts/content/files.py", "parts/content/media_names.py"),
    *("parts/forms/__init__.py", "parts/forms/cookies.py", "parts/forms/forms.py"),
    *("parts/forms/kinds.py", "parts/forms/multipart.py"),
    *("parts/accounts/sign_in.py", "parts/variables.py"),
}
"""Modules that the runtime looks for by name: this set only shrinks."""


@pytest.mark.parametrize("example", SOURCES)
def test_a_server_has_what_its_files_import_and_nothing_else(example: str) -> None:
    folder = FOLDER / example
    generated = servers.check(folder, servers.silent, whole=True).generated
    assert generated is not None
    package = generated.package
    texts = [path.read_text("utf-8") for path in own_files(folder)]
    installed = (f"parts.{name}" for name in package.installed)
    needed = closure(texts, (*installed, "app.app"))
    copied = {*runtime_files(package.features)}
    assert needed <= copied
    assert copied - needed <= BY_NAME


def own_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "_runtime" not in path.parts]
