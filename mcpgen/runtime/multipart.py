"""The parts of a multipart answer (RFC 2046)."""

from __future__ import annotations

from dataclasses import dataclass
from email import policy
from email.parser import BytesParser

MAX_PARTS = 200


@dataclass(frozen=True)
class PartOfAnswer:
    """One part: its body, and its Content-Type (text/plain where it has none)."""

    content: bytes
    content_type: str


def parts(content: bytes, content_type: str) -> tuple[PartOfAnswer, ...] | None:
    """The parts of a multipart body in order; None where it is not one."""
    header = b"Content-Type: " + content_type.encode("ascii", "replace") + b"\r\n\r\n"
    message = BytesParser(policy=policy.compat32).parsebytes(header + content)
    if not message.is_multipart():
        return None
    found = []
    for part in message.get_payload():
        payload = part.get_payload(decode=True)
        found.append(PartOfAnswer(payload or b"", part.get("Content-Type") or "text/plain"))
    return tuple(found[:MAX_PARTS])
