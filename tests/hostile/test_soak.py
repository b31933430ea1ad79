"""Callers at once, an API that fails at random, calls that are cancelled: `bench.soak` in small."""

from __future__ import annotations

import pytest

from bench.soak import Report, soak

CALLS, AFTER = 120, 30


@pytest.fixture(scope="module")
def report() -> Report:
    return soak(CALLS, cancelled=60, after=AFTER, callers=12, log_level="DEBUG", compared=False)


def test_every_call_gets_its_own_answer(report: Report) -> None:
    """One each, with the nonce and the credential of its own caller, or told what went wrong."""
    assert report.ours.wrong == []
    assert report.ours.succeeded + report.ours.failed == CALLS + AFTER
    assert report.ours.failed > 0


def test_no_write_is_sent_twice(report: Report) -> None:
    assert report.written_twice == 0


def test_no_credential_is_shown(report: Report) -> None:
    """Neither in an answer, though the API echoes it, nor in the log at its most talkative."""
    assert report.shown == 0
    assert report.logged > 0


def test_cancelled_calls_leave_nothing_behind(report: Report) -> None:
    assert report.after == AFTER
    assert report.leaked == 0


def test_a_gateway_mixes_neither_callers_nor_sources() -> None:
    """A third of the calls goes through the search surface; each source has its own credential."""
    report = soak(96, cancelled=0, after=12, callers=8, compared=False, gateway=True)
    assert report.ours.wrong == []
    assert (report.written_twice, report.shown, report.after) == (0, 0, 12)
