"""The environment variables that a README lists are those that the runtime reads."""

from __future__ import annotations

from dataclasses import fields

from mcpgen.runtime.settings import Settings
from mcpgen.server_variables import descriptions


def test_every_setting_of_the_runtime_is_described() -> None:
    described = descriptions()
    assert list(described) == [field.name for field in fields(Settings)]
    assert [name for name, text in described.items() if not text] == []
