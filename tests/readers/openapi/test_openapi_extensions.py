"""Extensions that speak of MCP, annotations, and filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, read_document

PATHS = {
    "/pets": {
        "get": {"operationId": "listPets", "tags": ["pets"], "responses": OK},
        "post": {"operationId": "createPet", "tags": ["pets", "admin"], "responses": OK},
    },
    "/users/{id}": {"delete": {"operationId": "deleteUser", "tags": ["users"], "responses": OK}},
    "/health": {"get": {"responses": OK}},
}


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, ["listPets", "createPet", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",)}, ["listPets", "createPet"]),
        ({"exclude_tags": ("adm*",)}, ["listPets", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",), "exclude_tags": ("admin",)}, ["listPets"]),
        ({"include_paths": ("/p*", "/health")}, ["listPets", "createPet", "get_health"]),
        ({"exclude_paths": ("/users/*",)}, ["listPets", "createPet", "get_health"]),
        ({"include_operations": ("*Pet",)}, ["createPet"]),
        ({"include_operations": ("get_health", "DELETE *")}, ["deleteUser", "get_health"]),
        ({"exclude_operations": ("list*",)}, ["createPet", "deleteUser", "get_health"]),
        ({"methods": ("get", "DELETE")}, ["listPets", "deleteUser", "get_health"]),
        ({"read_only": True}, ["listPets", "get_health"]),
    ],
)
def test_filters(tmp_path: Path, options: dict[str, Any], kept: list[str]) -> None:
    read = read_document({"paths": PATHS}, tmp_path, **options)
    assert [t.name for t in read.api.tools] == kept
    assert len(read.api.skipped) == 4 - len(kept)
    assert all("--" in s.reason for s in read.api.skipped)
