"""The answer of a token endpoint: a token, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...credentials.auth import UNSENT, no_token
from ...values.display import excerpt
from ...values.errors import ApiError, ToolError

if TYPE_CHECKING:
    from ...backend.outgoing import Outgoing


def check(answer: Mapping[str, Any], url: str, advice: str, secrets: tuple[str, ...]) -> None:
    """Raise ToolError if an answer has no usable token (RFC 6749 5.1).

    `advice` is used for an answer with `error`, if that error has no advice of its own.
    """
    if "error" in answer:
        why, when = refusal(answer, secrets)
        raise no_token(url, why, when or advice)
    if (problem := flaw(answer)) is not None:
        raise no_token(url, *problem)


def flaw(answer: Mapping[str, Any]) -> tuple[str, str] | None:
    """Why the token of an answer is unusable, and whether retrying helps; None if it is usable."""
    token, kind = answer.get("access_token"), answer.get("token_type", "Bearer")
    if not (isinstance(token, str) and token and all("!" <= char <= "~" for char in token)):
        return "its answer holds none.", "Retrying later may help."
    if not isinstance(kind, str) or kind.lower() != "bearer":
        return "its token is not of type Bearer.", "Retrying will not help."
    return None


def failure_of(problem: ToolError, outgoing: Outgoing) -> ToolError:
    """The error of a call without a token; it mentions an earlier answer of the API, if any."""
    from ...backend.failures import carried_out

    if not outgoing.after:
        return problem
    message = problem.message.partition(UNSENT)[0] + carried_out(outgoing.after)
    return ApiError(None, message)


def refusal(answer: Mapping[str, Any], secrets: tuple[str, ...] = ()) -> tuple[str, str]:
    """The reason of an `error` answer, and when to retry (empty if retrying cannot help)."""
    texts = [answer["error"], answer.get("error_description")]
    text = ": ".join(" ".join(each.split()) for each in texts if isinstance(each, str) and each)
    status, wait = answer["status"], answer["wait"]
    why = f"it answered {status}{f' ({excerpt(text, secrets)})' if text else ''}."
    if not (status == 429 or status >= 500 or texts[0] == "temporarily_unavailable"):
        return why, ""
    return why, f"Retrying {'later' if wait is None else f'after {wait:.0f} seconds'} may help."


def seconds(value: Any) -> float:
    """The lifetime of a token in seconds; infinite if it is not given."""
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return float("inf")
    return seconds if seconds >= 0 else 0.0
