"""Callers at once, an API that fails at random, calls that are cancelled: `bench.soak` in small."""

import pytest

from bench.soak import Report, soak

CALLS, AFTER = 48, 12


@pytest.fixture(scope="module")
def report() -> Report:
    """Of a gateway: each source has its own credential, and a third of the calls is searched for.

    At its most talkative.
    """
    sizes = CALLS, 24, AFTER, 8
    return soak(*sizes, log_level="DEBUG", compared=False, gateway=True)


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
