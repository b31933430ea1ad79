"""Every rule of the specification is proved by a test, or says why it is not one of ours."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from named_tests import is_test

HERE = Path(__file__).parent
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
SCENARIOS = tomllib.loads((HERE / "conformance/scenarios.toml").read_text(encoding="utf-8"))
CHECKED_BY_NOBODY = {"tasks-status-notifications"}
"""Scenarios in which the suite checks nothing yet."""
PAGES = {
    *("index", "schema", "security_best_practices", "basic", "basic/authorization"),
    *("basic/lifecycle", "basic/patterns", "basic/patterns/cancellation", "basic/patterns/mrtr"),
    *("basic/patterns/progress", "basic/patterns/subscriptions", "basic/transports"),
    *("basic/transports/stdio", "basic/transports/streamable-http"),
    *("basic/utilities/cancellation", "basic/utilities/ping", "basic/utilities/progress"),
    *("basic/utilities/tasks", "basic/versioning", "client/elicitation", "client/roots"),
    *("client/sampling", "extensions/tasks", "server/discover", "server/prompts"),
    *("server/resources", "server/tools", "server/utilities/caching"),
    *("server/utilities/completion", "server/utilities/logging", "server/utilities/pagination"),
}
"""The pages of all revisions that have rules; those below `basic/authorization` are one here."""
REQUIRED = {"id", "page", "since", "level", "rule"}
OPTIONAL = {"until", "proof", "because"}

Row = dict[str, Any]


def rows() -> list[Row]:
    """The rules of all pages."""
    files = sorted((HERE / "rules").glob("*.toml"))
    return [row for file in files for row in tomllib.loads(file.read_text("utf-8"))["rule"]]


def is_proof(proof: str, held: tuple[str, ...]) -> bool:
    """Whether a test of ours has that name, or a scenario is run on one of these revisions."""
    kind, _, scenario = proof.partition(" ")
    if kind == "conformance":
        revision, _, name = scenario.partition("/")
        known = SCENARIOS.get(revision, {})
        run = {*known.get("required", ()), *known.get("unscored", ())} - CHECKED_BY_NOBODY
        return revision in held and name in run - known["left_out"].keys()
    return is_test(proof)


def problems(row: Row) -> list[str]:
    """What is wrong with a rule."""
    if not row.keys() >= REQUIRED or not row.keys() <= REQUIRED | OPTIONAL:
        return [f"its keys are {sorted(row)}"]
    since, until = row["since"], row.get("until", REVISIONS[-1])
    if since not in REVISIONS or until not in REVISIONS or since > until:
        return [f"it holds from {since} to {until}"]
    held = REVISIONS[REVISIONS.index(since) : REVISIONS.index(until) + 1]
    proofs = row.get("proof", [])
    found = [f"nothing is called {proof}" for proof in proofs if not is_proof(proof, held)]
    if row["level"] not in ("MUST", "SHOULD"):
        found.append(f"its level is {row['level']}")
    if not proofs and not row.get("because"):
        found.append("it has neither a proof nor a reason")
    if len(set(proofs)) < len(proofs):
        found.append("it names a proof twice")
    if not row["rule"].endswith("."):
        found.append("it is no sentence")
    return found


def test_a_rule_is_proved_or_says_why_not() -> None:
    assert {str(row["id"]): found for row in rows() if (found := problems(row))} == {}


@pytest.mark.parametrize("key", ["id", "rule"])
def test_no_rule_is_there_twice(key: str) -> None:
    counted = Counter((row[key], row["since"] if key == "rule" else "") for row in rows())
    assert [name for name, times in counted.items() if times > 1] == []


def test_every_page_has_its_rules() -> None:
    assert {page for row in rows() for page in row["page"].split(", ")} == PAGES


GOOD: Row = {
    "id": "x",
    "page": "basic",
    "since": "2025-11-25",
    "level": "MUST",
    "rule": "It holds.",
    "proof": ["tests/test_rules.py::test_a_rule_is_proved_or_says_why_not"],
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, ""),
        ({"proof": ["conformance 2026-07-28/caching"]}, ""),
        ({"proof": [], "because": "A duty of clients."}, ""),
        ({"proof": []}, "neither"),
        ({"proof": [], "because": ""}, "neither"),
        ({"proof": ["tests/test_rules.py::test_nothing"]}, "nothing is called"),
        ({"proof": ["tests/test_rules.py::rows"]}, "nothing is called"),
        ({"proof": ["tests/no_file.py::test_nothing"]}, "nothing is called"),
        ({"proof": ["conformance 2026-07-28/no-such"]}, "nothing is called"),
        ({"proof": ["conformance 2025-06-18/caching"]}, "nothing is called"),
        ({"proof": ["conformance 2025-11-25/server-sse-polling"]}, "nothing is called"),
        ({"proof": ["conformance 2026-07-28/tasks-status-notifications"]}, "nothing is called"),
        ({"until": "2025-11-25", "proof": ["conformance 2026-07-28/caching"]}, "nothing is called"),
        ({"proof": GOOD["proof"] * 2}, "twice"),
        ({"since": "2020-01-01"}, "holds from"),
        ({"since": "2026-07-28", "until": "2025-11-25"}, "holds from"),
        ({"level": "MAY"}, "level"),
        ({"reason": "none"}, "keys"),
    ],
)
def test_a_rule_that_is_none_is_found(change: Row, says: str) -> None:
    found = problems(GOOD | change)
    assert says in "".join(found)
    assert bool(found) == bool(says)
