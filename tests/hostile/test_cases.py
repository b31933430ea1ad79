"""`cases.toml` leaves no case without a proof or a reason, and names no proof that is not there."""

import re
import tomllib
from pathlib import Path

import pytest
from named_tests import is_test

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((Path(__file__).parent / "cases.toml").read_text("utf-8"))
ENTRIES = [*TABLE["case"].values(), *TABLE["figure"].values()]
KEYS = {"about", "tests", "by_hand", "open"}


@pytest.mark.parametrize(("kind", "count"), [("case", 106), ("figure", 31)])
def test_every_number_is_there_once(kind: str, count: int) -> None:
    assert list(TABLE[kind]) == [str(number) for number in range(1, count + 1)]


def test_each_has_a_proof_or_a_reason() -> None:
    for entry in ENTRIES:
        assert entry.keys() <= KEYS, entry
        assert entry.get("tests") or entry.get("by_hand") or entry.get("open"), entry


def test_every_named_proof_is_there() -> None:
    for entry in ENTRIES:
        for name in entry.get("tests", ()):
            assert is_test(name), name
        for command in entry.get("by_hand", ()):
            assert _script(command), command


def _script(command: str) -> bool:
    """Whether the module, script or tests that a command runs are there."""
    found = re.search(r"python (?:-m pytest (\S+)|-m (\S+)|(\S+\.py))", command)
    assert found, command
    named = found[1] or found[3] or found[2].replace(".", "/")
    places = (ROOT / named, ROOT / f"{named}.py", ROOT / named / "__main__.py")
    return any(place.exists() for place in places)
