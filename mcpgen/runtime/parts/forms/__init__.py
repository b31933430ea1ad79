"""Bodies other than one JSON value: forms, multipart, text, bytes, lines; and cookies."""

from __future__ import annotations

from ...values.seams import WRITERS
from .cookies import build_cookie
from .forms import build_querystring
from .kinds import encoded

for _kind in ("form", "multipart", "text", "binary", "body", "lines"):
    WRITERS[_kind] = encoded
WRITERS["cookie"] = build_cookie
WRITERS["querystring"] = build_querystring
