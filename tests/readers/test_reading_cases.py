"""Documents in folders, and what is read of them: `reading_cases.py` writes it anew."""

import pytest
from reading_cases import CASES, EXPECTED, expected

FOLDERS = sorted(CASES.iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_document_gives_what_stands_beside_it(folder):
    texts = expected(folder)
    for name in EXPECTED:
        path = folder / name
        assert texts.get(name, "") == (path.read_bytes().decode() if path.exists() else ""), name
