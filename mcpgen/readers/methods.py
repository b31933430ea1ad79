"""What HTTP methods promise (RFC 9110 9.2): the hints of tools follow it."""

from __future__ import annotations

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "QUERY"})
IDEMPOTENT = frozenset({"PUT", "DELETE"})
"""Methods that write, and may be repeated."""
