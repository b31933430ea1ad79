"""What all tests share: in CI hypothesis tries the same examples every time."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

os.environ["MCPGEN_CACHE_DIR"] = ""  # what runs keep for the next is for the tests of just that
