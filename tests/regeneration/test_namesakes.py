"""Random names that are taken, given again and copied: every tool has its own function.

`histories` says how many histories are tried.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .histories import CASES, check_history
from .namesakes import NamingPerson, TakingDocument


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("seed", CASES)
def test_names_may_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    check_history(rng, TakingDocument(rng), NamingPerson)
