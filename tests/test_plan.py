"""Decisions of the plan that are not seen in one server alone."""

from __future__ import annotations

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st
from ruff import find_ruff_bin

from mcpgen.plan import _import_order

WORDS = ["Io", "K8S", "Api", "V1", "V2", "P4E5A10", "P479FD4", "URL", "9", "10", "02", "_", "X"]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map("".join)


@settings(max_examples=15, deadline=None)
@given(st.sets(NAMES.filter(str.isidentifier), min_size=2, max_size=40))
def test_imports_are_in_ruffs_order(names: set[str]) -> None:
    ordered = sorted(names, key=_import_order)
    text = "from x import (\n" + "".join(f"    {name},\n" for name in ordered) + ")\n\nx()\n"
    command = [find_ruff_bin(), "check", "--isolated", "--no-cache", "--select", "I", "-"]
    done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    assert done.returncode == 0, (ordered, done.stdout)
