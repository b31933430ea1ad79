"""Random edits and random documents: nothing that a person wrote is lost, and all fits at the end.

`histories` says how many are tried.
"""

import random

import pytest

from .histories import CASES, check_history
from .namesakes import NamingPerson, TakingDocument
from .world import Document, Person

pytestmark = [pytest.mark.usefixtures("quick"), pytest.mark.parametrize("seed", CASES)]


def test_nothing_is_lost(tmp_path, monkeypatch, seed):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    check_history(rng, Document(rng), Person)


def test_names_may_meet(tmp_path, monkeypatch, seed):
    """They are taken, given again and copied: every tool has its own function."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    check_history(rng, TakingDocument(rng), NamingPerson)
