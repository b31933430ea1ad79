"""Lines of the audit log about sign-ins: the person, the event and its outcome, and no secret."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from ...calls.caller import Caller

if TYPE_CHECKING:
    from .grants import Grant

logger = logging.getLogger(__name__)

_MAX_CHARACTERS = 200


class Events:
    """Writes sign-in events to the audit log; without an audit log, to the log at INFO."""

    def __init__(self, audit: Any) -> None:
        self._audit = audit

    def of(self, grant: Grant, step: str, refused: str = "") -> None:
        """Record a step of a sign-in, and the reason if it was refused."""
        person = grant.signed_in.person
        self._put(Caller(grant.label, person.subject, person.issuer), step, refused)

    def put(self, client: str, step: str, refused: str = "") -> None:
        """Record an event of a client before it is known which person signs in."""
        self._put(Caller(client[:_MAX_CHARACTERS]), step, refused)

    def _put(self, caller: Caller, step: str, refused: str) -> None:
        line = {"sign_in": step, "outcome": "refused" if refused else "ok"}
        line |= {"reason": refused[:_MAX_CHARACTERS]} if refused else {}
        if self._audit is not None:
            self._audit.put(caller, line)
        else:
            logger.info("%s %s", caller.client, json.dumps(line))
