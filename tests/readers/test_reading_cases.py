"""Documents in folders, and what is read of them: `reading_cases.py` writes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading_cases import CASES, MESSAGES, expected

FOLDERS = sorted(CASES.iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_document_gives_the_tools_and_messages_beside_it(folder: Path) -> None:
    found = expected(folder)
    for name in ("tools.json", "calls.json", MESSAGES):
        path = folder / name
        assert found.get(name, "") == (path.read_text("utf-8") if path.exists() else ""), name
