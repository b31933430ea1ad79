"""Regeneration without what takes long and has no part in it: the models and the tests' cases."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen import generate, render


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the models and the cases of servers empty."""

    class Quick(generate.models.Models):
        files: Any = {"models.py": '"""No types."""\n'}  # noqa: RUF012

    make = generate.models.generate

    def quickly(*given: Any, **options: Any) -> Any:
        made = make(*given, **options, workers=0)
        made.__class__ = Quick
        return made

    monkeypatch.setattr(generate.models, "generate", quickly)
    monkeypatch.setattr(render, "runtime_files", lambda: {})
    monkeypatch.setattr(generate, "_tests", lambda api, names: ("{}\n", "{}\n"))
