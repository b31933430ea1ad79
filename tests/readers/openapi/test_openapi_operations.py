"""Operations are found under every method and behind references; a broken one costs only itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_reading import OK, one, read_document

from mcpgen.diagnostics import GenerationError


def test_no_operations(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="no operations"):
        read_document({"paths": {}}, tmp_path)
    with pytest.raises(GenerationError, match="webhooks only"):
        read_document({"webhooks": {"new": {"post": {"responses": OK}}}}, tmp_path)
    with pytest.raises(GenerationError, match="--exclude-path"):
        read_document(one({}), tmp_path, exclude_paths=("*",))
