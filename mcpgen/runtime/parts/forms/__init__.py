"""Writes request bodies other than a single JSON value, and also query strings and cookies.

The bodies are forms, multipart, text, bytes, and lines of JSON.
"""

from __future__ import annotations

from ...values.seams import WRITERS
from .cookies import build_cookie
from .forms import build_querystring
from .kinds import encoded

for _kind in ("form", "multipart", "text", "binary", "body", "lines"):
    WRITERS[_kind] = encoded
WRITERS["cookie"] = build_cookie
WRITERS["querystring"] = build_querystring
