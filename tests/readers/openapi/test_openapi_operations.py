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


@pytest.mark.parametrize("key", ["TODO", "pets/{id}", " /pets", "<baseUrl>/v3/pets", "//{id}"])
def test_a_key_that_is_a_note_or_a_slip_costs_its_own_operations_only(
    tmp_path: Path, key: str
) -> None:
    read = read_document({"paths": {key: {"get": {}}, "/a": {"get": {"responses": OK}}}}, tmp_path)
    assert [t.name for t in read.api.tools] == ["get_a"]
    assert ([s.path for s in read.api.skipped], read.codes.count("path-key")) == ([key], 1)
